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
  /** 1 if, by the end of the current month, it has a statement or paid service that reaches into that month or further. */
  served: number;
  /** 1 if a statement was closed in the month. */
  billed_before: number;
  billed_now: number;
  /** Amounts of failed payments in each month, in cents. */
  failed_before: number;
  failed_now: number;
}

/** The previous and the current month as time ranges, and the first day of the current month. */
export interface FluxTimes {
  readonly before: TimeRange;
  readonly now: TimeRange;
  readonly first: string;
}

/**
 * Returns the facts of subscriptions. Failed payments count by the time of their attempt. Statements opened after the
 * current month count only for the first closing, so that later statements do not change the facts.
 */
export function readFluxSubscriptions(
  cache: ReadableDb,
  ids: readonly number[],
  { before, now, first }: FluxTimes,
): FluxSubscription[] {
  const failedSql = (from: string, until: string) => `coalesce((SELECT sum(amount) FROM (
      SELECT max(abs(amount_in_cents)) AS amount FROM txn INDEXED BY txn_subscription
      WHERE txn.subscription_id = statement.subscription_id AND txn.created_at >= ${from} AND txn.created_at < ${until}
        AND success = 0 AND (lower(transaction_type) = 'payment' OR type = 'Payment') GROUP BY id)), 0)`;
  const sql = convertNumberedParameters(`SELECT subscription_id, max(customer_name) AS customer,
      min(iif(state > 0, dated_at, NULL)) AS first_at,
      iif(max((state = 0 OR dated_at >= ?4) AND opened_at < ?5), 1, EXISTS (
        SELECT 1 FROM statement AS own CROSS JOIN txn ON statement_id = own.id
        WHERE own.subscription_id = statement.subscription_id AND own.vanished_at IS NULL AND own.opened_at < ?5
          AND service_until > ?6 AND success IS NOT 0 AND lower(coalesce(transaction_type, type)) = 'charge')) AS served,
      max(state > 0 AND dated_at >= ?2 AND dated_at < ?3) AS billed_before,
      max(state > 0 AND dated_at >= ?4 AND dated_at < ?5) AS billed_now,
      ${failedSql('?2', '?3')} AS failed_before, ${failedSql('?4', '?5')} AS failed_now
    FROM statement WHERE subscription_id IN (SELECT value FROM json_each(?1)) AND vanished_at IS NULL
    GROUP BY subscription_id`);
  return select.rows<FluxSubscription>(
    cache,
    sql,
    ...[JSON.stringify(ids), before.from, before.until, now.from, now.until, first],
  );
}
