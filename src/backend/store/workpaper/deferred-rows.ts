import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

/** A transaction that states the service period for which it was billed. */
export interface StoredServiceTransaction {
  readonly id: number;
  readonly statement_id: number;
  readonly subscription_id: number;
  readonly customer: string;
  readonly transaction_type: string | null;
  readonly type: string | null;
  readonly kind: string | null;
  readonly memo: string | null;
  readonly success: number | null;
  readonly amount_in_cents: number;
  readonly starting_balance_in_cents: number | null;
  readonly ending_balance_in_cents: number | null;
  readonly created_text: string | null;
  readonly service_from: string | null;
  readonly service_until: string | null;
  readonly opened_text: string | null;
  readonly closed_text: string | null;
}

const COLUMNS = `txn.id, statement_id, statement.subscription_id, customer_name AS customer, transaction_type, txn.type, txn.kind,
  txn.memo, success, amount_in_cents, txn.starting_balance_in_cents, txn.ending_balance_in_cents,
  txn.created_at_text AS created_text, service_from, service_until, opened_at_text AS opened_text, closed_at_text AS closed_text`;

/** Yields the transactions of statements closed before an instant (UTC milliseconds) with service after a day. */
export function readUnrenderedTransactions(
  cache: ReadableDb,
  { closedBefore, endsAfter }: { readonly closedBefore: number; readonly endsAfter: string },
): IterableIterator<StoredServiceTransaction> {
  const sql = `SELECT ${COLUMNS} FROM txn INDEXED BY txn_service CROSS JOIN statement ON statement.id = statement_id
    WHERE service_until > ? AND state IN (1, 2) AND dated_at < ? AND vanished_at IS NULL`;
  return prepareSql<StoredServiceTransaction>(cache, sql).iterate(endsAfter, closedBefore);
}

/** Yields the transactions of the statements closed in a time range (UTC milliseconds, `until` exclusive). */
export function readBilledTransactions(
  cache: ReadableDb,
  { from, until }: { readonly from: number; readonly until: number },
): IterableIterator<StoredServiceTransaction> {
  const sql = `SELECT ${COLUMNS} FROM json_each('[1,2]') AS states
      CROSS JOIN statement INDEXED BY statement_dated ON state = states.value
      CROSS JOIN txn ON statement_id = statement.id
    WHERE dated_at >= ? AND dated_at < ? AND vanished_at IS NULL`;
  return prepareSql<StoredServiceTransaction>(cache, sql).iterate(from, until);
}
