import { prepared, type ReadableDb, type Values, type WritableDb } from '../database.ts';
import { transactionType } from '../statements/transaction.ts';

/** A payment or refund as the books keep it: what the cache said when it was last looked at. */
export interface StoredPayment {
  id: number;
  statement_id: number;
  subscription_id: number | null;
  kind: 'payment' | 'refund';
  /** In the calendar of the service. */
  paid_on: string;
  /** Money received positive. */
  amount_in_cents: number;
  currency: string;
  payment_id: number | null;
  gateway_transaction_id: string | null;
  memo: string | null;
  customer_name: string | null;
  organization: string | null;
}

export interface HeldPayment extends StoredPayment {
  gone: number;
  claimed_in_cents: number;
}

/** A transaction of the cache that may have moved money. */
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

/**
 * Transactions of the types that `moves` says move money, by id, behind `after`; where one stands under two statements, the first of
 * them. A stretch at a time, so that no reading stays open while something is written.
 */
export function moneyTransactions(
  cache: ReadableDb,
  moves: (type: string) => boolean,
  after: number,
  limit: number,
): MoneyTransaction[] {
  const classes = prepared<{ id: number; type: string }>(
    cache,
    'SELECT id, type FROM txn_class WHERE count > 0',
  )
    .all()
    .filter(({ type }) => moves(transactionType({ transaction_type: type, type: null })));
  const found = classes.flatMap(({ id }) =>
    prepared<MoneyTransaction>(
      cache,
      `SELECT txn.id, statement_id, txn.subscription_id, transaction_type, txn.type, success, amount_in_cents,
         txn.starting_balance_in_cents, txn.ending_balance_in_cents, payment_id, gateway_transaction_id, txn.memo,
         txn.created_at, txn.created_at_text, statement.customer_name, statement.customer_organization AS organization
       FROM txn INDEXED BY txn_class_id LEFT JOIN statement ON statement.id = statement_id
       WHERE class_id = ? AND txn.id > ? ORDER BY txn.id, txn.row LIMIT ?`,
    ).all(id, after, limit),
  );
  found.sort((a, b) => a.id - b.id || a.statement_id - b.statement_id);
  const distinct = found.filter(({ id }, at) => found[at - 1]?.id !== id);
  return distinct.slice(0, limit);
}

const fields = [
  'statement_id',
  'subscription_id',
  'kind',
  'paid_on',
  'amount_in_cents',
  'currency',
  'payment_id',
  'gateway_transaction_id',
  'memo',
  'customer_name',
  'organization',
] as const satisfies readonly (keyof StoredPayment)[];

/** The payments held whose ids lie behind one and up to another. */
export function heldPayments(db: ReadableDb, after: number, upTo: number): HeldPayment[] {
  return prepared<HeldPayment>(
    db,
    `SELECT id, gone, claimed_in_cents, ${fields.join(', ')} FROM match_payment WHERE id > ? AND id <= ? ORDER BY id`,
  ).all(after, upTo);
}

/** Whether a payment is held just as it is now, so that nothing need be written. */
export function isSamePayment(held: HeldPayment, now: StoredPayment): boolean {
  return held.gone === 0 && fields.every((field) => held[field] === now[field]);
}

const add = `INSERT INTO match_payment (id, ${fields.join(', ')}) VALUES (?, ${fields.map(() => '?').join(', ')})`;
const change = `UPDATE match_payment SET gone = 0, ${fields.map((field) => `${field} = ?`).join(', ')} WHERE id = ?`;

export function addPayment(db: WritableDb, payment: StoredPayment): void {
  prepared(db, add).run(payment.id, ...valuesOf(payment));
}

export function changePayment(db: WritableDb, payment: StoredPayment): void {
  prepared(db, change).run(...valuesOf(payment), payment.id);
}

function valuesOf(payment: StoredPayment): Values {
  return fields.map((field) => payment[field]);
}

/** A payment the service has no more: what a group or a note stands on stays, marked. */
export function dropPayment(db: WritableDb, id: number): void {
  const needed = prepared(
    db,
    `SELECT 1 FROM match_item WHERE transaction_id = ?
     UNION ALL SELECT 1 FROM match_note WHERE transaction_id = ? LIMIT 1`,
  ).get(id, id);
  const sql =
    needed === undefined
      ? 'DELETE FROM match_payment WHERE id = ?'
      : 'UPDATE match_payment SET gone = 1 WHERE id = ? AND gone = 0';
  prepared(db, sql).run(id);
}

/** The groups that claim something of a payment. */
export function groupsClaiming(db: ReadableDb, id: number): number[] {
  return prepared<number>(db, 'SELECT group_id FROM match_item WHERE transaction_id = ? AND standing >= 3')
    .pluck()
    .all(id);
}

/** Whether the books know any payment yet. */
export function hasPayments(db: ReadableDb): boolean {
  return prepared(db, 'SELECT 1 FROM match_payment LIMIT 1').get() !== undefined;
}
