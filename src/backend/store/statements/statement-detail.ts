import type { StatementDetail, StatementEvent } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { type StoredStatementRow, statementColumns, toStatementRow } from './statement-list.ts';
import { type StoredTransactionRow, toTransactionRow, transactionColumns } from './transaction-list.ts';

type Part = 'street' | 'street_2' | 'city' | 'state' | 'country' | 'zip';
type Address = Record<Part, string | null>;

interface StoredDetail extends StoredStatementRow {
  memo: string | null;
  created_at: string | null;
  updated_at: string | null;
  dated_at: number;
  read_at: number;
  future_payments: string;
  extra: string;
  text_view: string | null;
  basic_html_view: string | null;
  html_view: string | null;
}

export function getStatementDetail(db: ReadableDb, id: number): StatementDetail | null {
  const sql = `SELECT ${statementColumns}, memo, created_at_text AS created_at, updated_at_text AS updated_at, dated_at, read_at,
       future_payments, extra, text_view, basic_html_view, html_view
     FROM statement LEFT JOIN statement_view ON statement_view.statement_id = statement.id WHERE statement.id = ?`;
  const row = prepareSql<StoredDetail>(db, sql).get(id);
  if (row === undefined) return null;
  const { dated_at: _, read_at, future_payments, extra, ...rest } = row;
  return {
    ...toStatementRow(rest),
    billing: readAddress(db, id, 'billing'),
    shipping: readAddress(db, id, 'shipping'),
    transactions: readTransactions(db, id),
    events: readEvents(db, id),
    future_payments: JSON.parse(future_payments) as StatementDetail['future_payments'],
    extra: JSON.parse(extra) as StatementDetail['extra'],
    synced_at: formatTimestamp(read_at),
    previous: findNeighbor(db, row, 'before'),
    next: findNeighbor(db, row, 'after'),
  };
}

function readAddress(db: ReadableDb, id: number, of: 'billing' | 'shipping'): Address {
  const part = (name: string, as: Part) => `customer_${of}_${name} AS ${as}`;
  const sql = `SELECT ${part('address', 'street')}, ${part('address_2', 'street_2')}, ${part('city', 'city')},
       ${part('state', 'state')}, ${part('country', 'country')}, ${part('zip', 'zip')} FROM statement WHERE id = ?`;
  return select.row<Address>(db, sql, id)!;
}

function readTransactions(db: ReadableDb, statement: number): StatementDetail['transactions'] {
  const sql = `SELECT ${transactionColumns} FROM txn WHERE statement_id = ? ORDER BY ordinal`;
  return select.rows<StoredTransactionRow>(db, sql, statement).map(toTransactionRow);
}

function readEvents(db: ReadableDb, statement: number): StatementEvent[] {
  const sql = `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? ORDER BY ordinal`;
  return select.rows<StoredEvent>(db, sql, statement).map(toStatementEvent);
}

export const eventColumns =
  'id, key, message, created_at_text AS created_at, subscription_id, event_specific_data';

export type StoredEvent = Omit<StatementEvent, 'event_specific_data'> & {
  event_specific_data: string;
};

export function toStatementEvent(row: StoredEvent): StatementEvent {
  const data = JSON.parse(row.event_specific_data) as StatementEvent['event_specific_data'];
  return { ...row, event_specific_data: data };
}

/** Returns the subscription's next or previous statement by filing day. */
function findNeighbor(
  db: ReadableDb,
  { id, subscription_id, dated_at }: StoredDetail,
  side: 'before' | 'after',
): StatementDetail['previous'] {
  const [sign, direction] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
  const sql = `SELECT id, closed_at_text AS closed_at, starting_balance_in_cents, ending_balance_in_cents
       FROM statement INDEXED BY statement_subscription
       WHERE subscription_id = ? AND (dated_at, id) ${sign} (?, ?)
       ORDER BY dated_at ${direction}, id ${direction} LIMIT 1`;
  return select.row<NonNullable<StatementDetail['previous']>>(db, sql, subscription_id, dated_at, id);
}
