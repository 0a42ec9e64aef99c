import { type Choices, realService } from '../choices.ts';
import { type RequestKind, requestKinds } from '../http/traffic.ts';
import { type PlantKind, plantKinds } from '../world/plant.ts';

/** How the sandbox is to misbehave. All rates are parts of the requests, from 0 to 1, decided by the seed and the order of requests. */
export interface FaultSpec {
  /** Milliseconds before each answer, from and to. */
  latency?: readonly [from: number, to: number];
  /** Requests answered 500, 502, 503 or 504, without effect. */
  error_rate?: number;
  /** Requests answered 429, without effect. */
  busy_rate?: number;
  /** The `Retry-After` of a 429: seconds, or `date` for an HTTP date two seconds on; absent where not given. */
  retry_after?: number | 'date';
  /** Of every so many requests, so many in a row are answered 503. */
  burst?: readonly [every: number, length: number];
  /** Connections cut before an answer, without effect. */
  cut_rate?: number;
  /** Connections cut in the middle of the body. */
  half_rate?: number;
  /** Bodies that end in the middle although all of them arrived. */
  short_rate?: number;
  /** Right bodies under `text/plain`. */
  type_rate?: number;
  /** Answers that are an HTML page with status 200. */
  html_rate?: number;
  /** Requests that are never answered. */
  stall_rate?: number;
  /** POSTs that take effect, but whose connection is cut before the answer. */
  lost_answer_rate?: number;
  /** Pages after the first that come as the page before them. */
  stale_page_rate?: number;
  /** Webhooks that arrive, and failed ones that turn accepted, after each page of webhooks. */
  drift?: number;
  /** Webhooks of one second change places with every request. */
  unstable_ties?: boolean;
  /** Ids of webhooks or statements; what holds one of them is answered 500. */
  poison?: readonly number[];
  /** Seconds the `Date` header is wrong by. */
  skew?: number;
  /** Requests after which the key is refused. */
  expire_key_after?: number;
  /** Requests worked on at once; more wait, and beyond five times as many are answered 429. */
  concurrency?: number;
  /** Kinds of requests that latency, rates and bursts are for; all where not given. */
  only?: readonly RequestKind[];
  /** Requests that are spared first. */
  after?: number;
  /** The most requests that are spoilt. */
  times?: number;
  /** At the start only: webhooks are created on whole multiples of so many seconds, so that many share an instant. */
  tie_seconds?: number;
  /** At the start only: instants from and to which the merchant's endpoint is down, ISO. */
  endpoint_down?: readonly [from: string, to: string];
  /** At the start only: errors planted in the books, by kind, so many of each. */
  plant?: Partial<Record<PlantKind, number>>;
  /** Choices to change. */
  set?: Partial<Choices>;
}

/** How the value of a fault is read from text, and what a value must be. */
interface Shape {
  readonly read: (text: string) => unknown;
  readonly fits: (value: unknown) => boolean;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const amount: Shape = { read: Number, fits: (value) => isNumber(value) && value >= 0 };
const rate: Shape = { read: Number, fits: (value) => isNumber(value) && value >= 0 && value <= 1 };
const pairOf = (read: (text: string) => unknown, fits: (value: unknown) => boolean): Shape => ({
  read,
  fits: (value) => Array.isArray(value) && value.length === 2 && value.every(fits),
});
const listOf = (read: (text: string) => unknown, fits: (value: unknown) => boolean): Shape => ({
  read: (text) => text.split('+').map(read),
  fits: (value) => Array.isArray(value) && value.every(fits),
});
const tableOf = (fits: (name: string, value: unknown) => boolean): Shape => ({
  read: () => undefined,
  fits: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([name, one]) => fits(name, one)),
});

const shapes: Record<keyof FaultSpec, Shape> = {
  latency: pairOf(
    (text) => (text.includes('..') ? text.split('..').map(Number) : [Number(text), Number(text)]),
    amount.fits,
  ),
  error_rate: rate,
  busy_rate: rate,
  retry_after: {
    read: (text) => (text === 'date' ? text : Number(text)),
    fits: (value) => value === 'date' || amount.fits(value),
  },
  burst: pairOf((text) => text.split('/').map(Number), amount.fits),
  cut_rate: rate,
  half_rate: rate,
  short_rate: rate,
  type_rate: rate,
  html_rate: rate,
  stall_rate: rate,
  lost_answer_rate: rate,
  stale_page_rate: rate,
  drift: amount,
  unstable_ties: { read: (text) => text !== 'false', fits: (value) => typeof value === 'boolean' },
  poison: listOf(Number, amount.fits),
  skew: { read: Number, fits: isNumber },
  expire_key_after: amount,
  concurrency: { read: Number, fits: (value) => isNumber(value) && value >= 1 },
  only: listOf(
    (text) => text,
    (value) => requestKinds.includes(value as RequestKind),
  ),
  after: amount,
  times: amount,
  tie_seconds: { read: Number, fits: (value) => isNumber(value) && value >= 1 },
  endpoint_down: pairOf(
    (text) => text.split('..'),
    (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  ),
  plant: tableOf((name, value) => plantKinds.includes(name as PlantKind) && amount.fits(value)),
  set: tableOf((name) => Object.hasOwn(realService, name)),
};

/**
 * Reads a specification like `latency=20..80,error_rate=0.05,only=webhooks+pdf,plant.gap=2,set.maxPerPage=50`.
 * Errors: a RangeError that names the item and what is known.
 */
export function parseFaults(text: string): FaultSpec {
  const spec: Record<string, unknown> = {};
  const items = text.split(',').map((item) => item.trim());
  for (const item of items.filter((one) => one !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(item) ?? [];
    const [, group, member = ''] = /^(plant|set)\.(.*)$/.exec(name) ?? [];
    if (group === undefined)
      spec[name] = Object.hasOwn(shapes, name) ? shapes[name as keyof FaultSpec].read(value) : value;
    else
      spec[group] = {
        ...(spec[group] as object | undefined),
        [member]: group === 'plant' ? Number(value || 1) : settingOf(value),
      };
  }
  return checkedFaults(spec);
}

/** The same specification, if it is one. Errors as with `parseFaults`. */
export function checkedFaults(spec: object): FaultSpec {
  for (const [name, value] of Object.entries(spec)) {
    if (!Object.hasOwn(shapes, name))
      throw new RangeError(`no fault is called ${name}; there are ${Object.keys(shapes).join(', ')}`);
    if (shapes[name as keyof FaultSpec].fits(value)) continue;
    throw new RangeError(`fault ${name} cannot be ${JSON.stringify(value)}${hints[name] ?? ''}`);
  }
  return spec as FaultSpec;
}

const hints: Record<string, string> = {
  only: `; kinds of requests are ${requestKinds.join(', ')}`,
  plant: `; errors that can be planted are ${plantKinds.join(', ')}`,
  set: `; choices are ${Object.keys(realService).join(', ')}`,
};

function settingOf(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^[\d.]+(\/[\d.]+)+$/.test(value)) return value.split('/').map(Number);
  return /^-?[\d.]+$/.test(value) ? Number(value) : value;
}
