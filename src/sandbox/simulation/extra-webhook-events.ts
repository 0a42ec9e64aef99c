import { pickRandomItem, randomFraction, randomTopics } from './seeded-random.ts';

/** First ordinal of webhooks that do not belong to a statement: usage, card and customer updates, notices. */
export const FIRST_EXTRA_WEBHOOK_ORDINAL = 0x80000000;

const events = [
  ...(['metered_usage', 'metered_usage', 'metered_usage', 'customer_update'] as const),
  ...(['upcoming_renewal_notice', 'subscription_card_update'] as const),
] as const;

export type ExtraWebhookEvent = (typeof events)[number];

/** First ordinal of webhooks that arrive while the sandbox is running. */
export const FIRST_NEW_WEBHOOK_ORDINAL = 0xc0000000;

/** Returns the creation time of a subscription's n-th extra webhook, which is between `from` and `to`. */
export const computeExtraWebhookTime = (
  seed: number,
  subscription: number,
  n: number,
  { from, to }: { from: number; to: number },
): number => {
  const draw = randomFraction(seed, subscription, randomTopics.extra, n * 4);
  return Math.floor(from + 3600 + draw * Math.max(to - from - 7200, 1));
};

export const pickExtraWebhookEvent = (seed: number, subscription: number, n: number): ExtraWebhookEvent =>
  pickRandomItem(events, randomFraction(seed, subscription, randomTopics.extra, n * 4 + 1));

/** Webhook events that a shorter log omits, in the order of omission. */
export const REMOVABLE_EVENTS: readonly string[] = ['renewal_success', 'signup_success', 'statement_settled'];
