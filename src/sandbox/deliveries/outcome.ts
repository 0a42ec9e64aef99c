import { hash, topic } from '../world/random.ts';
import type { Rows } from '../world/rows.ts';
import { DAY } from '../zone.ts';

/** How the log stands on one webhook. Times are seconds UTC, null where there is none. */
export interface Delivery {
  readonly successful: boolean;
  readonly acceptedAt: number | null;
  readonly sentAt: number | null;
  readonly errorAt: number | null;
  readonly error: string | null;
  readonly url: string;
}

/** A time the merchant's endpoint was down: from the first instant up to, not including, the second. */
export interface Outage {
  readonly from: number;
  readonly to: number;
  readonly error: string;
}

const ATTEMPTS = 5;

export const attemptText = (error: string, attempt: number): string =>
  `${error} (retry ${attempt} of ${ATTEMPTS})`;

const scattered = [
  'execution expired',
  '404 Resource Not Found',
  '500 Internal Server Error',
  '404 Resource Not Found',
];

/** What became of a webhook of the past: sent at once, and up to four times more while the endpoint did not accept it. */
export function pastDelivery(
  seed: number,
  row: number,
  createdAt: number,
  outages: readonly Outage[],
  scatter: number,
  url: string,
): Delivery {
  const draw = hash(seed, row, topic.scattered);
  const waits = [1 + (draw % 3), 11 + (draw % 7), 27 + (draw % 11), 119 + (draw % 23), 301 + (draw % 41)];
  const unlucky = scatter > 0 && draw % scatter === 0;
  let error = '';
  for (const wait of waits) {
    const at = createdAt + wait;
    const outage = outages.find(({ from, to }) => at >= from && at < to);
    if (!outage && !unlucky)
      return { successful: true, acceptedAt: at, sentAt: at, errorAt: null, error: null, url };
    error = outage?.error ?? (scattered[(draw >>> 8) % scattered.length] as string);
  }
  const at = createdAt + (waits.at(-1) as number);
  return {
    successful: false,
    acceptedAt: null,
    sentAt: at,
    errorAt: at,
    error: attemptText(error, ATTEMPTS),
    url,
  };
}

/** Hours of outage to try, so that a small site too misses a couple of dozen webhooks. */
const hours = [4, 6, 9, 14, 24];
const WANTED = 24;

/** The outage of the last complete month, `from` to `to`: as short as will do, at a place the seed decides. */
export function baseOutage(seed: number, webhooks: Rows, from: number, to: number): Outage {
  const days = Math.floor((to - from) / DAY) - 2;
  const first = hash(seed, 1, topic.outage) % days;
  let best = { count: -1, from, length: 0 };
  for (const length of hours) {
    for (let i = 0; i < days * 4; i++) {
      const start = from + (((first * 4 + i) % (days * 4)) * DAY) / 4 + (hash(seed, 2, topic.outage) % 3600);
      const count = webhooks.firstFrom(start + length * 3600 - 400) - webhooks.firstFrom(start);
      if (count > best.count) best = { count, from: start, length };
      if (count >= WANTED)
        return { from: start, to: start + length * 3600, error: '503 Service Unavailable' };
    }
  }
  return { from: best.from, to: best.from + best.length * 3600, error: '503 Service Unavailable' };
}
