import { fraction, pick, topic } from './random.ts';

/** Ordinals from here on are webhooks that touch no statement: usage, card and customer updates, notices. */
export const EXTRA = 0x80000000;

const events = [
  'metered_usage',
  'metered_usage',
  'metered_usage',
  'customer_update',
  'upcoming_renewal_notice',
  'subscription_card_update',
] as const;

export type ExtraEvent = (typeof events)[number];

/** Ordinals of webhooks that arrive while the sandbox runs. */
export const ARRIVAL = 0xc0000000;

/** When the n-th further webhook of a subscription that lived from `from` to `to` was created. */
export const extraAt = (seed: number, subscription: number, n: number, from: number, to: number): number =>
  Math.floor(from + 3600 + fraction(seed, subscription, topic.extra, n * 4) * Math.max(to - from - 7200, 1));

export const extraEvent = (seed: number, subscription: number, n: number): ExtraEvent =>
  pick(events, fraction(seed, subscription, topic.extra, n * 4 + 1));

/** Events the merchant can do without, in the order in which they go when a smaller log is asked for. */
export const dispensable: readonly string[] = ['renewal_success', 'signup_success', 'statement_settled'];
