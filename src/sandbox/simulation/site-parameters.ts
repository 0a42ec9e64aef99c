import {
  CALLS_COMPONENT_INDEX,
  type CatalogCoupon,
  type CatalogProduct,
  type CustomerRegion,
  catalogCoupons,
  catalogProducts,
  customerRegions,
  pickItemByShare,
  SEATS_COMPONENT_INDEX,
  STORAGE_COMPONENT_INDEX,
  SUPPORT_COMPONENT_INDEX,
} from './catalog.ts';
import type { PlantedErrorPosition } from './planted-error-kinds.ts';
import { hashNumbers, pickRandomItem, randomFraction, randomTopics } from './seeded-random.ts';
import { findMonthStart, SECONDS_PER_DAY, type TimeZone } from './time-zone.ts';

/** Size and calendar of the simulated site. All times are in seconds UTC. */
export interface SiteParameters {
  readonly seed: number;
  readonly subscriptions: number;
  /** Start times of the months with signups and of the month that follows them. */
  readonly months: readonly number[];
  /** Time at which the base data ends. */
  readonly now: number;
  /** Planted errors by subscription. Empty unless requested. */
  readonly plantedErrors: ReadonlyMap<number, PlantedErrorPosition>;
  /** Interval of webhook creation times in seconds. */
  readonly tick: number;
  /** Time range in which the endpoint is disabled, so that no webhooks are created. `to` is exclusive. */
  readonly disabled: { readonly from: number; readonly to: number } | null;
}

export function createSiteParameters(
  { seed, subscriptions, months }: { seed: number; subscriptions: number; months: number },
  now: number,
  zone: TimeZone,
): SiteParameters {
  const today = zone.date(now);
  const monthStart = (_: unknown, i: number) => zone.dayStart(findMonthStart(today, i - months));
  const starts = Array.from({ length: months + 1 }, monthStart);
  return { seed, subscriptions, months: starts, now, plantedErrors: new Map(), tick: 1, disabled: null };
}

/** Properties of a subscription that are fixed from its start. They and the clock determine everything else. */
export interface SimulatedSubscriber {
  readonly index: number;
  readonly signup: number;
  readonly product: CatalogProduct;
  readonly region: CustomerRegion;
  readonly coupon: CatalogCoupon | null;
  /** Quantities chosen at signup, by the index of the component in the catalog. */
  readonly quantities: readonly number[];
  /** Number of billing periods after which the customer leaves. */
  readonly periods: number;
}

/** Distribution of signups over a month: many on the 1st and on the 15th, as on real sites, and the others in between. */
const signupDays: readonly { upTo: number; fromDay: number; toDay: number }[] = [
  { upTo: 0.3, fromDay: 0.17, toDay: 0.42 },
  { upTo: 0.68, fromDay: 1, toDay: 13.5 },
  { upTo: 0.84, fromDay: 14.17, toDay: 14.4 },
  { upTo: 1, fromDay: 15, toDay: 27 },
];

/** Returns the signup time of a subscription. Signup times ascend with the index, and ids therefore as well. */
function findSignupTime(shape: SiteParameters, index: number): number {
  const { seed, subscriptions } = shape;
  const months = shape.months.length - 1;
  const first = months === 1 ? subscriptions : Math.ceil(subscriptions * 0.45);
  const remaining = subscriptions - first;
  let month = 0;
  let rank = index;
  let count = first;
  if (index >= first) {
    month = 1 + Math.floor(((index - first) * (months - 1)) / remaining);
    const from = Math.ceil(((month - 1) * remaining) / (months - 1));
    rank = index - first - from;
    count = Math.ceil((month * remaining) / (months - 1)) - from;
  }
  const position = (rank + randomFraction(seed, index, randomTopics.signup)) / Math.max(count, 1);
  let low = 0;
  for (const { upTo, fromDay, toDay } of signupDays) {
    if (position < upTo || upTo === 1) {
      const day = fromDay + ((position - low) / (upTo - low)) * (toDay - fromDay);
      return (shape.months[month] as number) + Math.floor(day * SECONDS_PER_DAY);
    }
    low = upTo;
  }
  throw new RangeError('the position in the month must be below 1');
}

export function createSimulatedSubscriber(shape: SiteParameters, index: number): SimulatedSubscriber {
  const draw = (topic: number, n = 0): number => randomFraction(shape.seed, index, topic, n);
  const quantities = [0, 0, 0, 0];
  if (draw(randomTopics.quantity, SEATS_COMPONENT_INDEX) < 0.7)
    quantities[SEATS_COMPONENT_INDEX] = 2 + Math.floor(draw(randomTopics.quantity, 10) ** 2 * 24);
  if (draw(randomTopics.quantity, STORAGE_COMPONENT_INDEX) < 0.25)
    quantities[STORAGE_COMPONENT_INDEX] = 1 + Math.floor(draw(randomTopics.quantity, 11) * 6);
  if (draw(randomTopics.quantity, SUPPORT_COMPONENT_INDEX) < 0.12) quantities[SUPPORT_COMPONENT_INDEX] = 1;
  const leaves = draw(randomTopics.cancel) < 0.08;
  return {
    index,
    signup: findSignupTime(shape, index),
    product: pickItemByShare(catalogProducts, draw(randomTopics.product)),
    region: pickItemByShare(customerRegions, draw(randomTopics.region)),
    coupon:
      draw(randomTopics.coupon) < 0.12 ? pickRandomItem(catalogCoupons, draw(randomTopics.coupon, 1)) : null,
    quantities,
    periods: leaves ? 2 + Math.floor(draw(randomTopics.cancel, 1) * 8) : Number.POSITIVE_INFINITY,
  };
}

export type UpgradeScheme = 'prorate-delay-capture' | 'prorate-attempt-capture' | 'no-prorate';
export type DowngradeScheme = 'prorate' | 'no-prorate';

/** A billing period in seconds UTC. */
export interface BillingPeriod {
  readonly start: number;
  readonly end: number;
}

export interface ProrationSchemes {
  readonly upgrade: UpgradeScheme;
  readonly downgrade: DowngradeScheme;
}

/** An action of a customer or the merchant within a billing period. */
export type CustomerAction =
  | ({ at: number; does: 'change'; component: number; by: number; declined: boolean } & ProrationSchemes)
  | { at: number; does: 'charge'; amount: number }
  | { at: number; does: 'refund' };

/** Upgrade proration schemes for simulated changes. Half of the changes attempt a capture. */
const UPGRADE_SCHEMES: readonly UpgradeScheme[] = [
  ...(['prorate-attempt-capture', 'prorate-attempt-capture', 'prorate-delay-capture', 'no-prorate'] as const),
];

/** Returns the actions in a subscription's billing period, sorted by time. All are at least two days from its ends. */
export function listCustomerActions(
  shape: SiteParameters,
  index: number,
  nth: number,
  { start: from, end: to }: BillingPeriod,
): CustomerAction[] {
  const draw = (topic: number, n: number): number => randomFraction(shape.seed, index, topic, nth * 16 + n);
  const when = (u: number): number =>
    Math.floor(from + 2 * SECONDS_PER_DAY + u * (to - from - 4 * SECONDS_PER_DAY));
  const list: CustomerAction[] = [];
  if (draw(randomTopics.change, 0) < 0.26) {
    const kind = draw(randomTopics.change, 1);
    const size = 1 + Math.floor(draw(randomTopics.change, 2) * 4);
    list.push({
      at: when(draw(randomTopics.change, 3)),
      does: 'change',
      component:
        kind < 0.72 ? SEATS_COMPONENT_INDEX : kind < 0.86 ? STORAGE_COMPONENT_INDEX : SUPPORT_COMPONENT_INDEX,
      by: draw(randomTopics.change, 4) < 0.68 ? size : -size,
      upgrade: pickRandomItem(UPGRADE_SCHEMES, draw(randomTopics.scheme, 0)),
      downgrade: draw(randomTopics.scheme, 1) < 0.5 ? 'prorate' : 'no-prorate',
      declined: draw(randomTopics.decline, 1) < 0.05,
    });
  }
  if (draw(randomTopics.oneTime, 0) < 0.03) {
    const amount = pickRandomItem([5000, 7500, 15000], draw(randomTopics.oneTime, 2));
    list.push({ at: when(draw(randomTopics.oneTime, 1)), does: 'charge', amount });
  }
  if (draw(randomTopics.refund, 0) < 0.008)
    list.push({ at: when(draw(randomTopics.refund, 1)), does: 'refund' });
  return list.sort((a, b) => a.at - b.at);
}

/** Returns true if the card issuer declines the renewal for a billing period. */
export const isRenewalDeclined = (shape: SiteParameters, index: number, period: number): boolean =>
  randomFraction(shape.seed, index, randomTopics.decline, period * 16) < 0.075;

/** Returns true if the card issuer also declines a retry of the renewal. */
export const isCardRetryDeclined = (shape: SiteParameters, index: number, period: number, retry: number) =>
  randomFraction(shape.seed, index, randomTopics.retry, period * 16 + retry) < 0.55;

/** Days after a declined renewal on which the card is charged again. If the last retry fails, the subscription ends. */
export const RENEWAL_RETRY_DAYS = [1, 3, 6] as const;
export const DAYS_UNTIL_SUBSCRIPTION_END = 9;

/** Returns the number of metered units that an extra usage webhook reports. */
export const computeMeteredUsage = (shape: SiteParameters, index: number, n: number): number =>
  100 + (hashNumbers(shape.seed, index, randomTopics.extra, n * 4 + CALLS_COMPONENT_INDEX) % 9000);
