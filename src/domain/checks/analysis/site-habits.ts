import { CONSOLIDATED_BILLING, isBilledWithOthers } from './consolidated-billing.ts';
import {
  expectFuturePayments,
  expectPaymentEvents,
  expectPaymentWebhooks,
  expectStatementWebhooks,
  type HabitualEventExpectation,
} from './expected-events.ts';
import { analyzeSubscription, type SubscriptionAnalysis } from './subscription-analysis.ts';
import type { SubscriptionRecord, WebhookLogWindow } from './subscription-record.ts';

/** Habits of a site by name, with the time at which each one started, in UTC milliseconds. */
export type SiteHabits = ReadonlyMap<string, number>;

/** Minimum share of cases in which a habit occurs. Chosen by judgment. */
const MIN_HABIT_SHARE = 0.75;
const MIN_HABIT_COUNT = 3;

/**
 * Learns a site's habits from a few hundred of its subscriptions during each full check. A habit starts at its first
 * occurrence, so that a recently enabled event is not expected earlier.
 */
export function learnSiteHabits(
  records: Iterable<SubscriptionRecord>,
  context: { readonly now: number; readonly webhookLog: WebhookLogWindow | null },
): SiteHabits {
  const timesByHabit = new Map<string, { readonly kept: number[]; readonly missed: number[] }>();
  let billedWithOthers = 0;
  for (const record of records) {
    const analysis = analyzeSubscription(record, context.now);
    billedWithOthers += Number(isBilledWithOthers(analysis));
    const expected = [...expectPaymentEvents(analysis), ...expectFuturePayments(analysis)];
    const logged = context.webhookLog === null ? [] : expectWebhooks(analysis, context.webhookLog);
    for (const { habit, isMet, expectedAt } of [...expected, ...logged]) {
      const times = timesByHabit.get(habit) ?? { kept: [], missed: [] };
      timesByHabit.set(habit, times);
      (isMet ? times.kept : times.missed).push(expectedAt);
    }
  }
  const habits = new Map<string, number>();
  for (const [habit, { kept, missed }] of timesByHabit) {
    const since = kept.reduce((first, at) => Math.min(first, at), Number.MAX_SAFE_INTEGER);
    const all = kept.length + missed.filter((at) => at >= since).length;
    if (kept.length >= MIN_HABIT_COUNT && kept.length >= all * MIN_HABIT_SHARE) habits.set(habit, since);
  }
  if (billedWithOthers >= MIN_HABIT_COUNT) habits.set(CONSOLIDATED_BILLING, 0);
  return habits;
}

const expectWebhooks = (
  analysis: SubscriptionAnalysis,
  log: WebhookLogWindow,
): HabitualEventExpectation[] => [
  ...expectPaymentWebhooks(analysis, log),
  ...expectStatementWebhooks(analysis, log),
];

/** Returns true if an expected event or webhook is missing that the site usually emits. */
export function isUnexpectedlyMissing(
  habits: SiteHabits,
  { habit, isMet, expectedAt }: HabitualEventExpectation,
): boolean {
  return !isMet && expectedAt >= (habits.get(habit) ?? Number.POSITIVE_INFINITY);
}
