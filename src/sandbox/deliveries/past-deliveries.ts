import type { TimeIndex } from '../simulation/row-time-index.ts';
import { hashNumbers, randomTopics } from '../simulation/seeded-random.ts';
import { SECONDS_PER_DAY } from '../simulation/time-zone.ts';

/** Delivery state of a webhook. Times are seconds UTC, null if not set. */
export interface DeliveryState {
  readonly successful: boolean;
  readonly acceptedAt: number | null;
  readonly sentAt: number | null;
  readonly errorAt: number | null;
  readonly error: string | null;
  readonly url: string;
}

/** A time range in which the merchant's endpoint was down, in seconds UTC. `to` is exclusive. */
export interface EndpointOutage {
  readonly from: number;
  readonly to: number;
  readonly error: string;
}

const ATTEMPTS = 5;

export const formatDeliveryAttemptError = (error: string, attempt: number): string =>
  `${error} (retry ${attempt} of ${ATTEMPTS})`;

/** Errors of deliveries that failed outside an outage. */
const NOT_FOUND = '404 Resource Not Found';
const ERRORS = ['execution expired', NOT_FOUND, '500 Internal Server Error', NOT_FOUND];

/** Returns the outcome of a past webhook, which was sent up to five times until the endpoint accepted it. */
export function simulatePastDelivery(
  { seed, row, createdAt }: { seed: number; row: number; createdAt: number },
  outages: readonly EndpointOutage[],
  scatteredFailureInterval: number,
  url: string,
): DeliveryState {
  const draw = hashNumbers(seed, row, randomTopics.scattered);
  const waits = [1 + (draw % 3), 11 + (draw % 7), 27 + (draw % 11), 119 + (draw % 23), 301 + (draw % 41)];
  const unlucky = scatteredFailureInterval > 0 && draw % scatteredFailureInterval === 0;
  let error = '';
  for (const wait of waits) {
    const at = createdAt + wait;
    const outage = outages.find(({ from, to }) => at >= from && at < to);
    if (!outage && !unlucky)
      return { successful: true, acceptedAt: at, sentAt: at, errorAt: null, error: null, url };
    error = outage?.error ?? (ERRORS[(draw >>> 8) % ERRORS.length] as string);
  }
  const at = createdAt + (waits.at(-1) as number);
  const lastError = formatDeliveryAttemptError(error, ATTEMPTS);
  return { successful: false, acceptedAt: null, sentAt: at, errorAt: at, error: lastError, url };
}

/** Lengths of an outage, in hours, that are tried in this order until a few dozen webhooks fail. */
const OUTAGE_HOURS = [4, 6, 9, 14, 24];
const SUFFICIENT_WEBHOOKS = 24;

/** Returns the shortest outage in which enough webhooks fail. The seed determines its position in the month. */
export function pickOutageTime(seed: number, webhooks: TimeIndex, from: number, to: number): EndpointOutage {
  const days = Math.floor((to - from) / SECONDS_PER_DAY) - 2;
  const first = hashNumbers(seed, 1, randomTopics.outage) % days;
  const offset = hashNumbers(seed, 2, randomTopics.outage) % 3600;
  const error = '503 Service Unavailable';
  let best = { count: -1, from, to: from };
  for (const hours of OUTAGE_HOURS) {
    for (let i = 0; i < days * 4; i++) {
      const start = from + (((first * 4 + i) % (days * 4)) * SECONDS_PER_DAY) / 4 + offset;
      const end = start + hours * 3600;
      const count = webhooks.findFirstRow(end - 400) - webhooks.findFirstRow(start);
      if (count > best.count) best = { count, from: start, to: end };
      if (count >= SUFFICIENT_WEBHOOKS) return { from: start, to: end, error };
    }
  }
  return { from: best.from, to: best.to, error };
}
