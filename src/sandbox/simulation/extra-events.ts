import { pickRandom, randomFraction, randomTopic } from './random.ts';

/** First ordinal of webhooks that belong to no statement: usage, card and customer updates, notices. */
export const FIRST_EXTRA_ORDINAL = 0x80000000;

const events = [
  'metered_usage',
  'metered_usage',
  'metered_usage',
  'customer_update',
  'upcoming_renewal_notice',
  'subscription_card_update',
] as const;

export type ExtraEvent = (typeof events)[number];

/** First ordinal of webhooks that arrive while the sandbox runs. */
export const FIRST_ARRIVAL_ORDINAL = 0xc0000000;

/** Returns the creation time of a subscription's n-th extra webhook, between `from` and `to`. */
export const extraEventTime = (
  seed: number,
  subscription: number,
  n: number,
  { from, to }: { from: number; to: number },
): number =>
  Math.floor(
    from +
      3600 +
      randomFraction(seed, subscription, randomTopic.extra, n * 4) * Math.max(to - from - 7200, 1),
  );

export const extraEvent = (seed: number, subscription: number, n: number): ExtraEvent =>
  pickRandom(events, randomFraction(seed, subscription, randomTopic.extra, n * 4 + 1));

/** Events left out of a shorter log, in this order. */
export const REMOVABLE_EVENTS: readonly string[] = ['renewal_success', 'signup_success', 'statement_settled'];
