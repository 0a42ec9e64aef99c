import type { Transaction } from '../../../billing/index.ts';
import { findServicePeriods } from '../../../domain/deferred-revenue/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, select, type WritableDb } from '../sqlite/connection.ts';

const insert = `INSERT INTO txn (id, statement_id, ordinal, class_id, subscription_id, created_at, amount_in_cents,
    starting_balance_in_cents, ending_balance_in_cents, success, product_id, payment_id, transaction_type, type, kind,
    memo, created_at_text, gateway_transaction_id, service_from, service_until, extra)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Replaces the transactions of a statement, in the order in which the service sent them. */
export function replaceStatementTransactions(
  db: WritableDb,
  statement: number,
  rows: readonly Transaction[],
): void {
  prepareSql(db, 'DELETE FROM txn WHERE statement_id = ?').run(statement);
  const services = findServicePeriods(rows);
  rows.forEach((row, ordinal) => {
    prepareSql(db, insert).run(
      row.id,
      statement,
      ordinal,
      classId(db, getTransactionType(row), row.kind ?? ''),
      row.subscription_id,
      parseTimestamp(row.created_at) ?? 0,
      row.amount_in_cents,
      row.starting_balance_in_cents,
      row.ending_balance_in_cents,
      row.success === null ? null : Number(row.success),
      row.product_id,
      row.payment_id,
      row.transaction_type,
      row.type,
      row.kind,
      row.memo,
      row.created_at,
      row.gateway_transaction_id,
      services[ordinal]?.from ?? null,
      services[ordinal]?.until ?? null,
      JSON.stringify(row.extra),
    );
  });
}

/** Returns the transaction's `transaction_type`, or its class name in lower case if the service sent no type. */
export function getTransactionType(txn: { transaction_type: string | null; type: string | null }): string {
  return (txn.transaction_type ?? txn.type ?? '').toLowerCase();
}

function classId(db: WritableDb, type: string, kind: string): number {
  return (
    select.value<number>(db, 'SELECT id FROM txn_class WHERE type = ? AND kind = ?', type, kind) ??
    Number(prepareSql(db, 'INSERT INTO txn_class (type, kind) VALUES (?, ?)').run(type, kind).lastInsertRowid)
  );
}

/** A transaction in the cache that may have moved money. */
export interface MoneyTransaction {
  id: number;
  statement_id: number;
  subscription_id: number | null;
  transaction_type: string | null;
  type: string | null;
  success: number | null;
  amount_in_cents: number;
  starting_balance_in_cents: number | null;
  ending_balance_in_cents: number | null;
  payment_id: number | null;
  gateway_transaction_id: string | null;
  memo: string | null;
  created_at: number;
  created_at_text: string | null;
  customer_name: string | null;
  organization: string | null;
}

/** Returns a stored transaction with a boolean success flag, as the balance computation requires. */
export const toBalanceTransaction = <Row extends { readonly success: number | null }>(
  transaction: Row,
): Omit<Row, 'success'> & { readonly success: boolean | null } => ({
  ...transaction,
  success: transaction.success === null ? null : transaction.success === 1,
});
