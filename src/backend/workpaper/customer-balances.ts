import type { CustomerBalance } from '../../contract/index.ts';
import { addCents, type Cents, countDaysBetween, type DateRange } from '../../domain/ledger/index.ts';
import { isClosedBefore } from '../../domain/receivables/index.ts';
import { findAgingBucket } from '../../domain/workpaper/index.ts';
import { extractDate } from '../store/lists/time-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { getStatementCustomer, type ReceivableStatement } from '../store/workpaper/receivable-rows.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import {
  type Movement,
  readSubscriptionBalances,
  type SubscriptionBalance,
} from './subscription-balances.ts';
import { readWorkpaperSettings } from './workpaper-settings.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Returns the customers with a balance at the end of a period, by name. Statements still open then have age 0. */
export function listCustomerBalances(
  { cache, books, file }: Pick<WorkpaperSite, 'cache' | 'books' | 'file'>,
  period: DateRange,
): CustomerBalance[] {
  const { buckets } = readWorkpaperSettings(books);
  const { until } = findStatementTimeRange(cache, period);
  const customers = new Map<string, CustomerSums>();
  for (const balance of readSubscriptionBalances(cache, period)) {
    if (balance === null || balance.open.length === 0) continue;
    const statement = (balance.closing.since.at(-1)?.statement ??
      balance.closing.last) as ReceivableStatement;
    const { customer, organization } = getStatementCustomer(cache, statement.id);
    const key = JSON.stringify([customer, organization]);
    const sums = customers.get(key) ?? {
      ...{ customer, organization, subscriptions: 0, credits: 0, overpaid: 0 },
      aging: buckets.map(() => 0),
    };
    customers.set(key, sums);
    sums.subscriptions++;
    for (const each of balance.open)
      addOpenAmount(sums, each, (movement) => {
        return findAgingBucket(buckets, findAge(cache, movement, { last: period.last, until }));
      });
  }
  return [...customers.values()].sort(compareCustomers).map(({ credits, overpaid, ...sums }) => ({
    ...sums,
    currency: file.currency,
    credits_in_cents: credits,
    overpaid_in_cents: overpaid,
    total_in_cents: [...sums.aging, credits, overpaid].reduce(addCents, 0),
  }));
}

interface CustomerSums extends Pick<CustomerBalance, 'customer' | 'organization' | 'subscriptions'> {
  subscriptions: number;
  credits: Cents;
  overpaid: Cents;
  readonly aging: Cents[];
}

function addOpenAmount(
  sums: CustomerSums,
  { movement, cents }: SubscriptionBalance['open'][number],
  findBucket: (movement: Movement) => number,
): void {
  if (cents < 0) {
    const name = movement.kind === 'payments' ? 'overpaid' : 'credits';
    sums[name] = addCents(sums[name], cents);
  } else {
    const bucket = findBucket(movement);
    sums.aging[bucket] = addCents(sums.aging[bucket] ?? 0, cents);
  }
}

/** Returns the number of days from the closing of a movement's statement to the as-of date. */
function findAge(
  cache: ReadableDb,
  { statement }: Movement,
  { last, until }: { readonly last: string; readonly until: number },
): number {
  if (!isClosedBefore(statement, until)) return 0;
  const { closed_text } = getStatementCustomer(cache, statement.id);
  return countDaysBetween(extractDate(closed_text) ?? last, last);
}

function compareCustomers(a: CustomerSums, b: CustomerSums): number {
  const [first, second] = [a, b].map(({ customer, organization }) => `${customer}\n${organization ?? ''}`);
  return (first as string) < (second as string) ? -1 : 1;
}
