import { hash } from 'node:crypto';
import type { Statement } from '../../../billing/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type SqlValues, type WritableDb } from '../sqlite/connection.ts';
import { createRowChangeCounts, type RowChange, type RowChangeCounts } from '../sqlite/row-upsert.ts';
import { replaceStatementEvents } from './statement-event.ts';
import { updateSubscription } from './subscription.ts';
import { getTransactionType, replaceStatementTransactions } from './transaction.ts';

/** Values of `statement.state`, by index. Open means not closed; unpaid means closed but not settled. */
export const statementStates = ['open', 'unpaid', 'paid'] as const;

const address = ['address', 'address_2', 'city', 'state', 'country', 'zip'] as const;
/** Columns of a statement that are stored exactly as the service sent them. */
const asSent = [
  ...(['memo', 'customer_first_name', 'customer_last_name', 'customer_organization'] as const),
  ...address.map((part) => `customer_shipping_${part}` as const),
  ...address.map((part) => `customer_billing_${part}` as const),
];

const columns = [
  ...['id', 'subscription_id', 'state', 'dated_at', 'opened_at', 'closed_at', 'settled_at', 'created_at'],
  ...['updated_at', 'starting_balance_in_cents', 'ending_balance_in_cents', 'charges_in_cents'],
  ...['payments_in_cents', 'customer_name', 'read_at', 'digest', 'opened_at_text', 'closed_at_text'],
  ...['settled_at_text', 'created_at_text', 'updated_at_text', 'future_payments', 'extra'],
  ...asSent,
];
const write = `INSERT INTO statement (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${columns
    .slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}, vanished_at = NULL`;

/**
 * Stores statements with their transactions, events and views, read by a request that started at `readAt` (UTC
 * milliseconds, local clock). Must be called in a transaction. If the digest of the sent data has changed, replaces the
 * statement and all of its records.
 */
export function upsertStatements(
  db: WritableDb,
  rows: readonly Statement[],
  readAt: number,
): RowChangeCounts {
  const tally = createRowChangeCounts();
  const touched = new Set<number>();
  for (const row of rows) tally[upsertStatement(db, row, readAt, touched)] += 1;
  for (const subscription of touched) updateSubscription(db, subscription);
  return tally;
}

interface Stored {
  subscription_id: number;
  read_at: number;
  digest: string;
  vanished_at: number | null;
}

function upsertStatement(db: WritableDb, row: Statement, readAt: number, touched: Set<number>): RowChange {
  const digest = hash('sha256', JSON.stringify(row), 'base64url');
  const storedSql = 'SELECT subscription_id, read_at, digest, vanished_at FROM statement WHERE id = ?';
  const stored = prepareSql<Stored>(db, storedSql).get(row.id);
  if (stored !== undefined && stored.read_at > readAt) return 'unchanged';
  if (stored !== undefined && stored.digest === digest && stored.vanished_at === null) {
    // Records that a later read found the unsettled statement unchanged, for example without a new payment.
    if (row.settled_at === null && stored.read_at < readAt) {
      prepareSql(db, 'UPDATE statement SET read_at = ? WHERE id = ?').run(readAt, row.id);
    }
    return 'unchanged';
  }

  prepareSql(db, write).run(...statementValues(row, digest, readAt));
  const sql = `INSERT INTO statement_view (statement_id, text_view, basic_html_view, html_view) VALUES (?, ?, ?, ?)
     ON CONFLICT (statement_id) DO UPDATE SET text_view = excluded.text_view,
       basic_html_view = excluded.basic_html_view, html_view = excluded.html_view`;
  prepareSql(db, sql).run(row.id, row.text_view, row.basic_html_view, row.html_view);
  replaceStatementTransactions(db, row.id, row.transactions);
  replaceStatementEvents(db, row.id, row.events);
  touched.add(row.subscription_id).add(stored?.subscription_id ?? row.subscription_id);
  return stored === undefined ? 'inserted' : 'changed';
}

function statementValues(row: Statement, digest: string, readAt: number): SqlValues {
  const opened = parseTimestamp(row.opened_at);
  const closed = parseTimestamp(row.closed_at);
  return [
    row.id,
    row.subscription_id,
    getStatementState(row),
    closed ?? opened ?? parseTimestamp(row.created_at) ?? 0,
    opened ?? 0,
    closed,
    parseTimestamp(row.settled_at),
    parseTimestamp(row.created_at),
    parseTimestamp(row.updated_at),
    row.starting_balance_in_cents ?? 0,
    row.ending_balance_in_cents ?? 0,
    sumTransactions(row, 'charge'),
    sumTransactions(row, 'payment'),
    [row.customer_first_name, row.customer_last_name].filter(Boolean).join(' '),
    readAt,
    digest,
    row.opened_at,
    row.closed_at,
    row.settled_at,
    row.created_at,
    row.updated_at,
    JSON.stringify(row.future_payments),
    JSON.stringify(row.extra),
    ...asSent.map((name) => row[name]),
  ];
}

function getStatementState(row: Statement): 0 | 1 | 2 {
  if (row.settled_at !== null) return 2;
  return row.closed_at === null ? 0 : 1;
}

/** Returns the sum of a statement's own successful charges or payments in cents, as a positive number. */
function sumTransactions(row: Statement, type: 'charge' | 'payment'): number {
  return row.transactions
    .filter((txn) => txn.success !== false && getTransactionType(txn) === type)
    .reduce((sum, txn) => sum + Math.abs(txn.amount_in_cents), 0);
}
