import { accountOf } from './account.ts';
import {
  type Expectation,
  futurePayments,
  paymentEvents,
  paymentWebhooks,
  statementWebhooks,
} from './expectations.ts';
import type { SubscriptionRecord } from './record.ts';
import type { LogWindow } from './rule.ts';

/** What a site does as a rule, by name (see `Expectation`), and since when. */
export type Habits = ReadonlyMap<string, number>;

/** A habit is what happens at least so often, seen at least so many times. */
const SHARE = 0.75;
const TIMES = 3;

/**
 * Learns a site’s habits from its records: a few hundred subscriptions tell them as well as all. To be learned again with each
 * full check. A habit begins when it was first kept: an event that was switched on one day is not missed before.
 */
export function habitsOf(
  records: Iterable<SubscriptionRecord>,
  context: { readonly now: number; readonly log: LogWindow | null },
): Habits {
  const seen = new Map<string, { readonly kept: number[]; readonly missed: number[] }>();
  for (const record of records) {
    const account = accountOf(record, context.now);
    const expected = [...paymentEvents(account), ...futurePayments(account)];
    const logged = context.log
      ? [...paymentWebhooks(account, context.log), ...statementWebhooks(account, context.log)]
      : [];
    for (const { habit, kept, at } of [...expected, ...logged]) {
      const times = seen.get(habit) ?? { kept: [], missed: [] };
      seen.set(habit, times);
      (kept ? times.kept : times.missed).push(at);
    }
  }
  const habits = new Map<string, number>();
  for (const [habit, { kept, missed }] of seen) {
    const since = kept.reduce((first, at) => Math.min(first, at), Number.MAX_SAFE_INTEGER);
    const all = kept.length + missed.filter((at) => at >= since).length;
    if (kept.length >= TIMES && kept.length >= all * SHARE) habits.set(habit, since);
  }
  return habits;
}

/** Whether something is not there that the site has the habit of. */
export function isMissed(habits: Habits, { habit, kept, at }: Expectation): boolean {
  return !kept && at >= (habits.get(habit) ?? Number.POSITIVE_INFINITY);
}
