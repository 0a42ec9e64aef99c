import {
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertSql } from '../sqlite/write-row.ts';
import { getTransactionType, type MoneyTransaction } from '../statements/transaction.ts';

/** A payment or refund as stored in the books, with data from the latest read of the cache. */
export interface MatchPayment {
  id: number;
  statement_id: number;
  subscription_id: number | null;
  kind: 'payment' | 'refund';
  /** Date of the payment in the service's calendar. */
  paid_on: string;
  /** Amount in cents, positive for money received. */
  amount_in_cents: number;
  currency: string;
  payment_id: number | null;
  gateway_transaction_id: string | null;
  memo: string | null;
  customer_name: string | null;
  organization: string | null;
}

export interface StoredPayment extends MatchPayment {
  removed: number;
  claimed_in_cents: number;
}

/** Returns a batch of distinct transactions that move money, by id. Leaves no cursor open, so that others can write. */
export function listMoneyTransactions(
  cache: ReadableDb,
  moves: (type: string) => boolean,
  after: number,
  limit: number,
): MoneyTransaction[] {
  const sql = 'SELECT id, type FROM txn_class WHERE count > 0';
  const classes = select
    .rows<{ id: number; type: string }>(cache, sql)
    .filter(({ type }) => moves(getTransactionType({ transaction_type: type, type: null })));
  const found = classes.flatMap(({ id }) =>
    select.rows<MoneyTransaction>(
      cache,
      `SELECT txn.id, statement_id, txn.subscription_id, transaction_type, txn.type, success, amount_in_cents,
         txn.starting_balance_in_cents, txn.ending_balance_in_cents, payment_id, gateway_transaction_id, txn.memo,
         txn.created_at, txn.created_at_text, statement.customer_name, statement.customer_organization AS organization
       FROM txn INDEXED BY txn_class_id LEFT JOIN statement ON statement.id = statement_id
       WHERE class_id = ? AND txn.id > ? ORDER BY txn.id, txn.row LIMIT ?`,
      id,
      after,
      limit,
    ),
  );
  found.sort((a, b) => a.id - b.id || a.statement_id - b.statement_id);
  const distinct = found.filter(({ id }, at) => found[at - 1]?.id !== id);
  return distinct.slice(0, limit);
}

const fields = [
  ...(['statement_id', 'subscription_id', 'kind', 'paid_on', 'amount_in_cents', 'currency'] as const),
  ...(['payment_id', 'gateway_transaction_id', 'memo', 'customer_name', 'organization'] as const),
];

/** Returns the stored payments with ids above `after` and up to `upTo`. */
export function listStoredPayments(db: ReadableDb, after: number, upTo: number): StoredPayment[] {
  const sql = `SELECT id, removed, claimed_in_cents, ${fields.join(', ')} FROM match_payment WHERE id > ? AND id <= ? ORDER BY id`;
  return select.rows<StoredPayment>(db, sql, after, upTo);
}

/** Returns true if a stored payment equals its current data, so that it need not be written. */
export function isPaymentUnchanged(stored: StoredPayment, now: MatchPayment): boolean {
  return stored.removed === 0 && fields.every((field) => stored[field] === now[field]);
}

const add = insertSql('match_payment', ['id', ...fields]);
const change = `UPDATE match_payment SET removed = 0, ${fields.map((field) => `${field} = ?`).join(', ')} WHERE id = ?`;

export function addMatchPayment(db: WritableDb, payment: MatchPayment): void {
  prepareSql(db, add).run(payment.id, ...valuesOf(payment));
}

export function updateMatchPayment(db: WritableDb, payment: MatchPayment): void {
  prepareSql(db, change).run(...valuesOf(payment), payment.id);
}

function valuesOf(payment: MatchPayment): SqlValues {
  return fields.map((field) => payment[field]);
}

/**
 * Removes a payment that the service no longer has. If a match or comment refers to the payment, only marks it as removed.
 */
export function removeMatchPayment(db: WritableDb, id: number): void {
  const neededSql = `SELECT 1 FROM match_item WHERE transaction_id = ?
     UNION ALL SELECT 1 FROM match_payment WHERE id = ? AND comments > 0 LIMIT 1`;
  const needed = prepareSql(db, neededSql).get(id, id);
  const sql =
    needed === undefined
      ? 'DELETE FROM match_payment WHERE id = ?'
      : 'UPDATE match_payment SET removed = 1 WHERE id = ? AND removed = 0';
  prepareSql(db, sql).run(id);
}

export function listMatchesClaimingPayment(db: ReadableDb, id: number): number[] {
  const sql = 'SELECT group_id FROM match_item WHERE transaction_id = ? AND claim_state >= 3';
  return select.values<number>(db, sql, id);
}

/** Returns true if the books contain at least one payment. */
export function isAnyPaymentStored(db: ReadableDb): boolean {
  return prepareSql(db, 'SELECT 1 FROM match_payment LIMIT 1').get() !== undefined;
}
