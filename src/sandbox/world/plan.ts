import { DAY, monthStart, type Zone } from '../zone.ts';
import {
  byShare,
  CALLS,
  type Coupon,
  coupons,
  type Product,
  products,
  type Region,
  regions,
  SEATS,
  STORAGE,
  SUPPORT,
} from './catalog.ts';
import type { Plant } from './plant.ts';
import { fraction, hash, pick, topic } from './random.ts';

/** The size and the calendar of the made-up site. All times are seconds UTC. */
export interface Shape {
  readonly seed: number;
  readonly subscriptions: number;
  /** The first instants of the months people signed up in, and of the month after them. */
  readonly months: readonly number[];
  /** The instant up to which the base data runs. */
  readonly now: number;
  /** Errors planted, by subscription; none unless asked for. */
  readonly plants: ReadonlyMap<number, Plant>;
  /** Webhooks are created on whole multiples of so many seconds. */
  readonly tick: number;
}

export function shapeOf(seed: number, subscriptions: number, months: number, now: number, zone: Zone): Shape {
  const today = zone.date(now);
  const starts = Array.from({ length: months + 1 }, (_, i) => zone.dayStart(monthStart(today, i - months)));
  return { seed, subscriptions, months: starts, now, plants: new Map(), tick: 1 };
}

/** What is settled about a subscription from its first day: everything else follows from it and the clock. */
export interface Subscriber {
  readonly index: number;
  readonly signup: number;
  readonly product: Product;
  readonly region: Region;
  readonly coupon: Coupon | null;
  /** Quantities chosen at signup, by the component's place in the catalog. */
  readonly quantities: readonly number[];
  /** The number of periods after which they leave. */
  readonly periods: number;
}

/** Where the days of a month's signups lie: many on the 1st and the 15th, as with real sites, the rest between. */
const signupDays: readonly { upTo: number; fromDay: number; toDay: number }[] = [
  { upTo: 0.3, fromDay: 0.17, toDay: 0.42 },
  { upTo: 0.68, fromDay: 1, toDay: 13.5 },
  { upTo: 0.84, fromDay: 14.17, toDay: 14.4 },
  { upTo: 1, fromDay: 15, toDay: 27 },
];

/** Signup times ascend with the index, so ids ascend with time as the service's do. */
function signupTime(shape: Shape, index: number): number {
  const { seed, subscriptions } = shape;
  const months = shape.months.length - 1;
  const first = months === 1 ? subscriptions : Math.ceil(subscriptions * 0.45);
  const rest = subscriptions - first;
  let month = 0;
  let rank = index;
  let count = first;
  if (index >= first) {
    month = 1 + Math.floor(((index - first) * (months - 1)) / rest);
    const from = Math.ceil(((month - 1) * rest) / (months - 1));
    rank = index - first - from;
    count = Math.ceil((month * rest) / (months - 1)) - from;
  }
  const place = (rank + fraction(seed, index, topic.signup)) / Math.max(count, 1);
  let low = 0;
  for (const { upTo, fromDay, toDay } of signupDays) {
    if (place < upTo || upTo === 1) {
      const day = fromDay + ((place - low) / (upTo - low)) * (toDay - fromDay);
      return (shape.months[month] as number) + Math.floor(day * DAY);
    }
    low = upTo;
  }
  throw new RangeError('a place in the month is below 1');
}

export function subscriberOf(shape: Shape, index: number): Subscriber {
  const draw = (what: number, n = 0): number => fraction(shape.seed, index, what, n);
  const quantities = [0, 0, 0, 0];
  if (draw(topic.quantity, SEATS) < 0.7)
    quantities[SEATS] = 2 + Math.floor(draw(topic.quantity, 10) ** 2 * 24);
  if (draw(topic.quantity, STORAGE) < 0.25)
    quantities[STORAGE] = 1 + Math.floor(draw(topic.quantity, 11) * 6);
  if (draw(topic.quantity, SUPPORT) < 0.12) quantities[SUPPORT] = 1;
  const leaves = draw(topic.cancel) < 0.08;
  return {
    index,
    signup: signupTime(shape, index),
    product: byShare(products, draw(topic.product)),
    region: byShare(regions, draw(topic.region)),
    coupon: draw(topic.coupon) < 0.12 ? pick(coupons, draw(topic.coupon, 1)) : null,
    quantities,
    periods: leaves ? 2 + Math.floor(draw(topic.cancel, 1) * 8) : Number.POSITIVE_INFINITY,
  };
}

export type UpgradeScheme = 'prorate-delay-capture' | 'prorate-attempt-capture' | 'no-prorate';
export type DowngradeScheme = 'prorate' | 'no-prorate';

/** A billing period, seconds UTC. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export interface Schemes {
  readonly upgrade: UpgradeScheme;
  readonly downgrade: DowngradeScheme;
}

/** Something a customer or the merchant does within a period without being asked to. */
export type Happening =
  | {
      at: number;
      does: 'change';
      component: number;
      by: number;
      upgrade: UpgradeScheme;
      downgrade: DowngradeScheme;
      declined: boolean;
    }
  | { at: number; does: 'charge'; amount: number }
  | { at: number; does: 'refund' };

const upgrades = [
  'prorate-attempt-capture',
  'prorate-attempt-capture',
  'prorate-delay-capture',
  'no-prorate',
] as const;

/** What happens of itself in the given period of a subscription, in order of time, two days clear of its ends. */
export function happenings(
  shape: Shape,
  index: number,
  nth: number,
  { start: from, end: to }: Period,
): Happening[] {
  const draw = (what: number, n: number): number => fraction(shape.seed, index, what, nth * 16 + n);
  const when = (u: number): number => Math.floor(from + 2 * DAY + u * (to - from - 4 * DAY));
  const list: Happening[] = [];
  if (draw(topic.change, 0) < 0.26) {
    const kind = draw(topic.change, 1);
    const size = 1 + Math.floor(draw(topic.change, 2) * 4);
    list.push({
      at: when(draw(topic.change, 3)),
      does: 'change',
      component: kind < 0.72 ? SEATS : kind < 0.86 ? STORAGE : SUPPORT,
      by: draw(topic.change, 4) < 0.68 ? size : -size,
      upgrade: pick(upgrades, draw(topic.scheme, 0)),
      downgrade: draw(topic.scheme, 1) < 0.5 ? 'prorate' : 'no-prorate',
      declined: draw(topic.decline, 1) < 0.05,
    });
  }
  if (draw(topic.oneTime, 0) < 0.03) {
    list.push({
      at: when(draw(topic.oneTime, 1)),
      does: 'charge',
      amount: pick([5000, 7500, 15000], draw(topic.oneTime, 2)),
    });
  }
  if (draw(topic.refund, 0) < 0.008) list.push({ at: when(draw(topic.refund, 1)), does: 'refund' });
  return list.sort((a, b) => a.at - b.at);
}

/** Whether the bank declines the renewal of a period, and then each retry of it. */
export const renewalDeclined = (shape: Shape, index: number, period: number): boolean =>
  fraction(shape.seed, index, topic.decline, period * 16) < 0.075;

export const retryDeclined = (shape: Shape, index: number, period: number, retry: number): boolean =>
  fraction(shape.seed, index, topic.retry, period * 16 + retry) < 0.55;

/** Days after a declined renewal on which the card is tried again; after the last the subscription is ended. */
export const retryDays = [1, 3, 6] as const;
export const endAfterDays = 9;

/** How many of a component's metered units an extra usage webhook reports. */
export const usage = (shape: Shape, index: number, n: number): number =>
  100 + (hash(shape.seed, index, topic.extra, n * 4 + CALLS) % 9000);
