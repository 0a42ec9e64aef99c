import type { Marks, Outputs, SubscriptionRow } from '../../../contract/index.ts';
import {
  type Branch,
  type Column,
  countRows,
  type Reading,
  readMarks,
  readPage,
} from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { containing } from '../sqlite/like-pattern.ts';

export interface SubscriptionQuery {
  filter: { search?: string | undefined };
  sort: { by: 'subscription_id' | 'customer_name' | 'balance_in_cents'; direction: 'asc' | 'desc' };
}

const id: Column = { name: 'subscription_id', type: 'number' };
const sorts: Record<SubscriptionQuery['sort']['by'], { columns: readonly Column[]; from: string }> = {
  subscription_id: { columns: [id], from: 'subscription' },
  customer_name: {
    columns: [{ name: 'customer_name', type: 'text' }, id],
    from: 'subscription INDEXED BY subscription_customer',
  },
  balance_in_cents: {
    columns: [{ name: 'balance_in_cents', type: 'number' }, id],
    from: 'subscription INDEXED BY subscription_balance',
  },
};

export function listSubscriptions(
  db: ReadableDb,
  query: SubscriptionQuery & { after?: string | undefined; limit: number },
): Outputs['subscriptions']['list'] {
  const reading = readingOf(query);
  const { keys, next } = readPage(db, reading, query);
  return {
    rows: keys.map((key) => subscription(db, Number(key.at(-1)))!),
    next,
    total:
      query.after === undefined ? { count: countRows(db, reading.groups[0]!.branches), exact: true } : null,
  };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function subscriptionMarks(db: ReadableDb, query: SubscriptionQuery & { every: number }): Marks {
  const reading = readingOf(query);
  return readMarks(db, reading, query.every, 'subscription');
}

/** Returns null if nothing is known about the subscription. */
export function subscription(db: ReadableDb, subscription_id: number): SubscriptionRow | null {
  const row = prepared<SubscriptionRow & { balance_in_cents: number }>(
    db,
    `SELECT subscription_id, nullif(customer_name, '') AS customer_name, customer_organization, statements, unpaid,
       iif(last_closed_at IS NULL, NULL, balance_in_cents) AS balance_in_cents, last_closed_at_text AS last_closed_at
     FROM subscription WHERE subscription_id = ?`,
  ).get(subscription_id);
  return row ?? null;
}

/** Customers are searched by a substring of their names. There are few enough to scan them all. */
function readingOf({ filter, sort: { by, direction } }: SubscriptionQuery): Reading {
  const { columns, from } = sorts[by];
  const branch: Branch =
    filter.search === undefined || filter.search.trim() === ''
      ? { from, where: [], bound: [] }
      : {
          from,
          where: [
            `(customer_name LIKE ? ESCAPE '\\' OR customer_organization LIKE ? ESCAPE '\\' OR subscription_id = ?)`,
          ],
          bound: [containing(filter.search), containing(filter.search), filter.search.trim()],
        };
  return {
    order: { name: `subscriptions ${by}`, columns, direction },
    groups: [{ lead: [], branches: [branch] }],
    edge: null,
  };
}
