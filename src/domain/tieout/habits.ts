import { accountOf } from './account.ts';
import { futurePayments, paymentEvents, paymentWebhooks, statementWebhooks } from './expectations.ts';
import type { SubscriptionRecord } from './record.ts';
import type { LogWindow } from './rule.ts';

/** What a site does as a rule, by name (see `Expectation`). */
export type Habits = ReadonlySet<string>;

/** A habit is what happens at least so often, seen at least so many times. */
const SHARE = 0.75;
const TIMES = 3;

/**
 * Learns a site’s habits from its records: a few hundred subscriptions tell them as well as all. To be learned again with each
 * full check.
 */
export function habitsOf(
  records: Iterable<SubscriptionRecord>,
  context: { readonly now: number; readonly log: LogWindow | null },
): Habits {
  const seen = new Map<string, { kept: number; all: number }>();
  for (const record of records) {
    const account = accountOf(record, context.now);
    const expected = [...paymentEvents(account), ...futurePayments(account)];
    const logged = context.log
      ? [...paymentWebhooks(account, context.log), ...statementWebhooks(account, context.log)]
      : [];
    for (const { habit, kept } of [...expected, ...logged]) {
      const counts = seen.get(habit) ?? { kept: 0, all: 0 };
      seen.set(habit, counts);
      counts.all++;
      if (kept) counts.kept++;
    }
  }
  const habits = new Set<string>();
  for (const [habit, { kept, all }] of seen) {
    if (kept >= TIMES && kept >= all * SHARE) habits.add(habit);
  }
  return habits;
}
