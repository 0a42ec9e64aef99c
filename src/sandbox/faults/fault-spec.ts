import { type RequestKind, requestKinds } from '../http/request-log.ts';
import { defaultSettings, type ServiceSettings } from '../settings.ts';
import { type PlantKind, plantKinds } from '../simulation/plant-kinds.ts';

/**
 * The sandbox's faults. Rates are shares of the requests, from 0 to 1, decided by the seed and the order of
 * requests.
 */
export interface FaultSpec {
  /** Minimum and maximum milliseconds before each answer. */
  latency?: readonly [from: number, to: number];
  /** Requests answered 500, 502, 503 or 504, without effect. */
  error_rate?: number;
  /** Requests answered 429, without effect. */
  busy_rate?: number;
  /**
   * `Retry-After` of a 429: seconds, or `date` for an HTTP date two seconds ahead. No header if not given.
   */
  retry_after?: number | 'date';
  /** In every `every` requests, `length` in a row are answered 503. */
  burst?: readonly [every: number, length: number];
  /** Connections cut before an answer, without effect. */
  cut_rate?: number;
  /** Connections cut in the middle of the body. */
  half_rate?: number;
  /** Truncated bodies that are delivered completely. */
  short_rate?: number;
  /** Correct bodies sent as `text/plain`. */
  type_rate?: number;
  /** Answers that are an HTML page with status 200. */
  html_rate?: number;
  /** Requests that are never answered. */
  stall_rate?: number;
  /** POSTs that take effect although the connection is cut before the answer. */
  lost_answer_rate?: number;
  /** Pages after the first that are answered with the previous page. */
  stale_page_rate?: number;
  /** After each page of webhooks, this many webhooks arrive and this many failed ones become accepted. */
  drift?: number;
  /** Webhooks of the same second change their order with every request. */
  unstable_ties?: boolean;
  /** Ids of webhooks or statements. An answer that would contain one becomes a 500. */
  poison?: readonly number[];
  /** Seconds by which the `Date` header is off. */
  skew?: number;
  /** Number of requests after which the key is refused. */
  expire_key_after?: number;
  /** Number of requests processed at once. Five times as many wait. Further ones are answered 429. */
  concurrency?: number;
  /** Request kinds that latency, rates and bursts apply to. All kinds if not given. */
  only?: readonly RequestKind[];
  /** Number of first requests without faults. */
  after?: number;
  /** Maximum number of requests with faults. */
  times?: number;
  /**
   * At the start only: webhooks are created on multiples of this many seconds, so that many share an instant.
   */
  tie_seconds?: number;
  /** At the start only: ISO instants between which the merchant's endpoint is down. */
  endpoint_down?: readonly [from: string, to: string];
  /** At the start only: number of errors to plant in the records, by kind. */
  plant?: Partial<Record<PlantKind, number>>;
  /** Settings to change. */
  set?: Partial<ServiceSettings>;
}

/** Parser and validator of one fault's value. */
interface FaultValueType {
  readonly read: (text: string) => unknown;
  readonly fits: (value: unknown) => boolean;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const amount: FaultValueType = { read: Number, fits: (value) => isNumber(value) && value >= 0 };
const rate: FaultValueType = { read: Number, fits: (value) => isNumber(value) && value >= 0 && value <= 1 };
const pairOf = (read: (text: string) => unknown, fits: (value: unknown) => boolean): FaultValueType => ({
  read,
  fits: (value) => Array.isArray(value) && value.length === 2 && value.every(fits),
});
const listOf = (read: (text: string) => unknown, fits: (value: unknown) => boolean): FaultValueType => ({
  read: (text) => text.split('+').map(read),
  fits: (value) => Array.isArray(value) && value.every(fits),
});
const tableOf = (fits: (name: string, value: unknown) => boolean): FaultValueType => ({
  read: () => undefined,
  fits: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([name, one]) => fits(name, one)),
});

const valueTypes: Record<keyof FaultSpec, FaultValueType> = {
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
  set: tableOf((name) => Object.hasOwn(defaultSettings, name)),
};

/**
 * Parses a specification, for example
 * `latency=20..80,error_rate=0.05,only=webhooks+pdf,plant.gap=2,set.maxPerPage=50`. Throws a RangeError that
 * names the invalid item and the valid ones.
 */
export function parseFaults(text: string): FaultSpec {
  const spec: Record<string, unknown> = {};
  const items = text.split(',').map((item) => item.trim());
  for (const item of items.filter((one) => one !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(item) ?? [];
    const [, group, member = ''] = /^(plant|set)\.(.*)$/.exec(name) ?? [];
    if (group === undefined)
      spec[name] = Object.hasOwn(valueTypes, name) ? valueTypes[name as keyof FaultSpec].read(value) : value;
    else
      spec[group] = {
        ...(spec[group] as object | undefined),
        [member]: group === 'plant' ? Number(value || 1) : settingOf(value),
      };
  }
  return validateFaults(spec);
}

/** Returns the specification if it is valid. Throws like `parseFaults` otherwise. */
export function validateFaults(spec: object): FaultSpec {
  for (const [name, value] of Object.entries(spec)) {
    if (!Object.hasOwn(valueTypes, name))
      throw new RangeError(`no fault is called ${name}; there are ${Object.keys(valueTypes).join(', ')}`);
    if (valueTypes[name as keyof FaultSpec].fits(value)) continue;
    throw new RangeError(`fault ${name} cannot be ${JSON.stringify(value)}${hints[name] ?? ''}`);
  }
  return spec as FaultSpec;
}

const hints: Record<string, string> = {
  only: `; kinds of requests are ${requestKinds.join(', ')}`,
  plant: `; errors that can be planted are ${plantKinds.join(', ')}`,
  set: `; choices are ${Object.keys(defaultSettings).join(', ')}`,
};

function settingOf(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^[\d.]+(\/[\d.]+)+$/.test(value)) return value.split('/').map(Number);
  return /^-?[\d.]+$/.test(value) ? Number(value) : value;
}
