import type { TimeRange } from '../lists/time-range.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';

/** Transaction of a figure with the subscription that it belongs to. */
export interface FluxTransactionRow {
  id: number;
  statement_id: number;
  subscription_id: number;
  transaction_type: string;
  kind: string | null;
  memo: string | null;
}

/** Returns those of these transactions that are stored on the given statements. */
export function readFluxTransactions(
  cache: ReadableDb,
  keys: readonly { readonly id: number; readonly statement: number }[],
): FluxTransactionRow[] {
  const sql = `SELECT txn.id, txn.statement_id, coalesce(txn.subscription_id, statement.subscription_id) AS subscription_id,
       coalesce(txn.transaction_type, txn.type, '') AS transaction_type, kind, txn.memo
     FROM json_each(?) AS wanted CROSS JOIN txn ON txn.statement_id = value ->> 'statement' AND txn.id = value ->> 'id'
     CROSS JOIN statement ON statement.id = txn.statement_id GROUP BY txn.statement_id, txn.id`;
  return select.rows<FluxTransactionRow>(cache, sql, JSON.stringify(keys));
}

/** Returns the subscription of each of these statements that is stored. */
export function readSubscriptionsOfStatements(
  cache: ReadableDb,
  ids: readonly number[],
): Map<number, number> {
  const sql = 'SELECT id, subscription_id FROM statement WHERE id IN (SELECT value FROM json_each(?))';
  const rows = select.rows<{ id: number; subscription_id: number }>(cache, sql, JSON.stringify(ids));
  return new Map(rows.map(({ id, subscription_id }) => [id, subscription_id]));
}

/** Returns the statement and kind of each of these payments and refunds. */
export function readFluxPayments(
  books: ReadableDb,
  ids: readonly number[],
): Map<number, { statement_id: number; kind: 'payment' | 'refund' }> {
  const sql = 'SELECT id, statement_id, kind FROM match_payment WHERE id IN (SELECT value FROM json_each(?))';
  const rows = select.rows<{ id: number; statement_id: number; kind: 'payment' | 'refund' }>(
    books,
    sql,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, ...payment }) => [id, payment]));
}

/** Facts of a subscription that decide how its flux is split. */
export interface FluxSubscription {
  subscription_id: number;
  customer: string;
  /** Closing of its first statement in UTC milliseconds; null if none is closed. */
  first_at: number | null;
  /** Closing of its last statement in UTC milliseconds, or opening if the statement is open. */
  last_at: number;
  /** Amounts of failed payments in each month, in cents. */
  failed_before: number;
  failed_now: number;
}

/** Returns the facts of subscriptions. Failed payments count by the time of their attempt. */
export function readFluxSubscriptions(
  cache: ReadableDb,
  ids: readonly number[],
  { before, now }: { readonly before: TimeRange; readonly now: TimeRange },
): FluxSubscription[] {
  const failedSql = (from: string, until: string) => `coalesce((SELECT sum(amount) FROM (
      SELECT max(abs(amount_in_cents)) AS amount FROM txn INDEXED BY txn_subscription
      WHERE txn.subscription_id = statement.subscription_id AND txn.created_at >= ${from} AND txn.created_at < ${until}
        AND success = 0 AND (lower(transaction_type) = 'payment' OR type = 'Payment') GROUP BY id)), 0)`;
  const sql = convertNumberedParameters(`SELECT subscription_id, max(customer_name) AS customer,
      min(iif(state > 0, dated_at, NULL)) AS first_at, max(dated_at) AS last_at,
      ${failedSql('?2', '?3')} AS failed_before, ${failedSql('?4', '?5')} AS failed_now
    FROM statement WHERE subscription_id IN (SELECT value FROM json_each(?1)) AND vanished_at IS NULL
    GROUP BY subscription_id`);
  return select.rows<FluxSubscription>(
    cache,
    sql,
    ...[JSON.stringify(ids), before.from, before.until, now.from, now.until],
  );
}
