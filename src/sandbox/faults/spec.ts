import type { Choices } from '../choices.ts';
import type { RequestKind } from '../http/traffic.ts';
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

type Reader = (text: string) => unknown;

const number: Reader = (text) => {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new RangeError(`not a number: ${text}`);
  return value;
};
const rate: Reader = (text) => {
  const value = number(text) as number;
  if (value < 0 || value > 1) throw new RangeError(`not between 0 and 1: ${text}`);
  return value;
};
const split =
  (mark: string, each: Reader): Reader =>
  (text) =>
    text.split(mark).map(each);
const range: Reader = (text) =>
  text.includes('..') ? split('..', number)(text) : [number(text), number(text)];

const readers: Record<Exclude<keyof FaultSpec, 'plant' | 'set'>, Reader> = {
  latency: range,
  error_rate: rate,
  busy_rate: rate,
  retry_after: (text) => (text === 'date' ? text : number(text)),
  burst: split('/', number),
  cut_rate: rate,
  half_rate: rate,
  short_rate: rate,
  type_rate: rate,
  html_rate: rate,
  stall_rate: rate,
  lost_answer_rate: rate,
  stale_page_rate: rate,
  drift: number,
  unstable_ties: (text) => text !== 'false',
  poison: split('+', number),
  skew: number,
  expire_key_after: number,
  concurrency: number,
  only: split('+', (text) => text),
  after: number,
  times: number,
  tie_seconds: number,
  endpoint_down: split('..', (text) => {
    if (Number.isNaN(Date.parse(text))) throw new RangeError(`not an instant: ${text}`);
    return text;
  }),
};

/**
 * Reads a specification like `latency=20..80,error_rate=0.05,only=webhooks+pdf,plant.gap=2,set.maxPerPage=50`.
 * Errors: a RangeError that names the item and, for an unknown one, the known ones.
 */
export function parseFaults(text: string): FaultSpec {
  const spec: Record<string, unknown> = {};
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    const [name = '', value = ''] = splitOnce(item);
    const [group, member] = name.split('.', 2) as [string, string | undefined];
    if (member !== undefined && (group === 'plant' || group === 'set')) {
      const held = (spec[group] ?? {}) as Record<string, unknown>;
      spec[group] = { ...held, [member]: group === 'plant' ? planted(member, value) : settingOf(value) };
    } else {
      const read = Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined;
      if (!read)
        throw new RangeError(
          `no fault is called ${name}; there are ${Object.keys(readers).join(', ')}, plant.<kind>, set.<choice>`,
        );
      try {
        spec[name] = read(value);
      } catch (error) {
        throw new RangeError(`fault ${name}: ${(error as Error).message}`);
      }
    }
  }
  return spec as FaultSpec;
}

const splitOnce = (item: string): string[] => {
  const at = item.indexOf('=');
  return at < 0 ? [item] : [item.slice(0, at), item.slice(at + 1)];
};

function planted(kind: string, value: string): unknown {
  if (!plantKinds.includes(kind as PlantKind))
    throw new RangeError(`nothing called ${kind} can be planted; there are ${plantKinds.join(', ')}`);
  return value === '' ? 1 : number(value);
}

function settingOf(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (value.includes('/') && /^[\d/.]+$/.test(value)) return value.split('/').map(Number);
  return /^-?[\d.]+$/.test(value) ? Number(value) : value;
}
