import { type RequestKind, requestKinds } from '../http/request-log.ts';
import { type PlantedErrorKind, plantedErrorKinds } from '../simulation/planted-error-kinds.ts';
import { defaultServiceSettings, type ServiceSettings } from '../site/service-settings.ts';

/** Faults that the sandbox simulates. Rates are shares of the requests, from 0 to 1, selected by the seed. */
export interface FaultSpec {
  /** Minimum and maximum delay before each response, in milliseconds. */
  latency?: readonly [from: number, to: number];
  /** Share of requests that are answered with 500, 502, 503 or 504 and have no effect. */
  error_rate?: number;
  /** Share of requests that are answered with 429 and have no effect. */
  busy_rate?: number;
  /** `Retry-After` of a 429 response: seconds, or `date` for an HTTP date two seconds ahead. By default, none. */
  retry_after?: number | 'date';
  /** Of every `every` requests, `length` consecutive ones are answered with 503. */
  burst?: readonly [every: number, length: number];
  /** Share of requests whose connection is closed before a response. They have no effect. */
  cut_rate?: number;
  /** Share of responses whose connection is closed in the middle of the body. */
  half_rate?: number;
  /** Share of responses whose body is truncated although the transfer is complete. */
  short_rate?: number;
  /** Share of responses that are correct but declared as `text/plain`. */
  type_rate?: number;
  /** Share of requests that are answered with an HTML page and status 200. */
  html_rate?: number;
  /** Share of requests that are never answered. */
  stall_rate?: number;
  /** Share of POST requests that take effect although the connection is closed before the response. */
  lost_answer_rate?: number;
  /** Share of requests for later pages that are answered with the previous page. */
  stale_page_rate?: number;
  /** Number of webhooks that arrive after each page of webhooks, and number of failed webhooks that become accepted. */
  drift?: number;
  /** True if webhooks created in the same second change their order with every request. */
  unstable_ties?: boolean;
  /** Ids of webhooks or statements. A response that would contain one of them becomes a 500. */
  poison?: readonly number[];
  /** Number of seconds by which the `Date` header is wrong. */
  skew?: number;
  /** Number of requests after which the API key is rejected. */
  expire_key_after?: number;
  /** Maximum number of requests processed at once. Five times as many requests may wait. Further requests get a 429. */
  concurrency?: number;
  /** Kinds of requests that latency, rates and bursts apply to. The default is all kinds. */
  only?: readonly RequestKind[];
  /** Number of initial requests without faults. */
  after?: number;
  /** Maximum number of requests with faults. */
  times?: number;
  /** Interval of webhook creation times in seconds, so that many webhooks share a time. Can be set only at the start. */
  tie_seconds?: number;
  /** ISO times between which the merchant's endpoint is down. Can be set only at the start. */
  endpoint_down?: readonly [from: string, to: string];
  /** ISO times between which the endpoint is disabled, so that no webhooks are created. Can be set only at the start. */
  endpoint_disabled?: readonly [from: string, to: string];
  /** Number of errors to plant in the records, by kind. Can be set only at the start. */
  plant?: Partial<Record<PlantedErrorKind, number>>;
  /** Service settings to change. */
  set?: Partial<ServiceSettings>;
}

/** Parser and validator for the value of one fault. */
interface FaultValueType {
  readonly read: (text: string) => unknown;
  readonly fits: (value: unknown) => boolean;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const rate: FaultValueType = { read: Number, fits: (value) => isNumber(value) && value >= 0 && value <= 1 };
const createPairType = (
  read: (text: string) => unknown,
  fits: (value: unknown) => boolean,
): FaultValueType => ({
  read,
  fits: (value) => Array.isArray(value) && value.length === 2 && value.every(fits),
});
const createListType = (
  read: (text: string) => unknown,
  fits: (value: unknown) => boolean,
): FaultValueType => ({
  read: (text) => text.split('+').map(read),
  fits: (value) => Array.isArray(value) && value.every(fits),
});
const createTableType = (fits: (name: string, value: unknown) => boolean): FaultValueType => ({
  read: () => undefined,
  fits: (value) =>
    typeof value === 'object' && value !== null && Object.entries(value).every((entry) => fits(...entry)),
});
const numberFrom = (least: number): FaultValueType => ({
  read: Number,
  fits: (value) => isNumber(value) && value >= least,
});

const amount = numberFrom(0);
const timeRange = createPairType(
  (text) => text.split('..'),
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
);

const valueTypes: Record<keyof FaultSpec, FaultValueType> = {
  latency: createPairType(
    (text) => (text.includes('..') ? text.split('..').map(Number) : [Number(text), Number(text)]),
    amount.fits,
  ),
  ...{ error_rate: rate, busy_rate: rate, cut_rate: rate, half_rate: rate, short_rate: rate },
  ...{ type_rate: rate, html_rate: rate, stall_rate: rate, lost_answer_rate: rate, stale_page_rate: rate },
  ...{ drift: amount, expire_key_after: amount, after: amount, times: amount },
  retry_after: {
    read: (text) => (text === 'date' ? text : Number(text)),
    fits: (value) => value === 'date' || amount.fits(value),
  },
  burst: createPairType((text) => text.split('/').map(Number), amount.fits),
  unstable_ties: { read: (text) => text !== 'false', fits: (value) => typeof value === 'boolean' },
  poison: createListType(Number, amount.fits),
  skew: { read: Number, fits: isNumber },
  concurrency: numberFrom(1),
  only: createListType(
    (text) => text,
    (value) => requestKinds.includes(value as RequestKind),
  ),
  tie_seconds: numberFrom(1),
  endpoint_down: timeRange,
  endpoint_disabled: timeRange,
  plant: createTableType(
    (name, value) => plantedErrorKinds.includes(name as PlantedErrorKind) && amount.fits(value),
  ),
  set: createTableType((name) => Object.hasOwn(defaultServiceSettings, name)),
};

/**
 * Parses a fault specification, for example
 * `latency=20..80,error_rate=0.05,only=webhooks+pdf,plant.gap=2,set.maxPerPage=50`. Throws RangeError if an item is
 * invalid; the message names it and lists the valid items.
 */
export function parseFaultSpec(text: string): FaultSpec {
  const spec: Record<string, unknown> = {};
  const items = text.split(',').map((item) => item.trim());
  for (const item of items.filter((one) => one !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(item) ?? [];
    const [, group, member = ''] = /^(plant|set)\.(.*)$/.exec(name) ?? [];
    if (group !== undefined) {
      const parsed = group === 'plant' ? Number(value || 1) : parseSetting(value);
      spec[group] = { ...(spec[group] as object | undefined), [member]: parsed };
    } else
      spec[name] = Object.hasOwn(valueTypes, name) ? valueTypes[name as keyof FaultSpec].read(value) : value;
  }
  return validateFaultSpec(spec);
}

/** Returns the fault specification if it is valid. Throws the same errors as `parseFaultSpec`. */
export function validateFaultSpec(spec: object): FaultSpec {
  for (const [name, value] of Object.entries(spec)) {
    if (!Object.hasOwn(valueTypes, name))
      throw new RangeError(
        `there is no fault ${name}; valid faults are ${Object.keys(valueTypes).join(', ')}`,
      );
    if (valueTypes[name as keyof FaultSpec].fits(value)) continue;
    throw new RangeError(`fault ${name} cannot have the value ${JSON.stringify(value)}${hints[name] ?? ''}`);
  }
  return spec as FaultSpec;
}

const hints: Record<string, string> = {
  only: `; valid kinds of requests are ${requestKinds.join(', ')}`,
  plant: `; valid kinds of planted errors are ${plantedErrorKinds.join(', ')}`,
  set: `; valid settings are ${Object.keys(defaultServiceSettings).join(', ')}`,
};

function parseSetting(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^[\d.]+(\/[\d.]+)+$/.test(value)) return value.split('/').map(Number);
  return /^-?[\d.]+$/.test(value) ? Number(value) : value;
}
