import type { StatementDetail, StatementEvent } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { type StoredStatementRow, shownStatement, statementColumns } from './statement-list.ts';
import { type StoredTransaction, shownTransaction, transactionColumns } from './transaction-list.ts';

type Part = 'street' | 'street_2' | 'city' | 'state' | 'country' | 'zip';
type Address = Record<Part, string | null>;

interface StoredDetail extends StoredStatementRow {
  memo: string | null;
  created_at: string | null;
  updated_at: string | null;
  filed_at: number;
  read_at: number;
  future_payments: string;
  extra: string;
  text_view: string | null;
  basic_html_view: string | null;
  html_view: string | null;
}

/** Returns a complete statement, or null if it is not stored. */
export function statementDetail(db: ReadableDb, id: number): StatementDetail | null {
  const row = prepared<StoredDetail>(
    db,
    `SELECT ${statementColumns}, memo, created_at_text AS created_at, updated_at_text AS updated_at, filed_at, read_at,
       future_payments, extra, text_view, basic_html_view, html_view
     FROM statement LEFT JOIN statement_view ON statement_view.statement_id = statement.id WHERE statement.id = ?`,
  ).get(id);
  if (row === undefined) return null;
  const { filed_at, read_at, future_payments, extra, ...rest } = row;
  return {
    ...shownStatement(rest),
    billing: addressOf(db, id, 'billing'),
    shipping: addressOf(db, id, 'shipping'),
    transactions: transactionsOf(db, id),
    events: eventsOf(db, id),
    future_payments: JSON.parse(future_payments) as StatementDetail['future_payments'],
    extra: JSON.parse(extra) as StatementDetail['extra'],
    synced_at: formatTimestamp(read_at),
    previous: neighbor(db, rest.subscription_id, filed_at, id, 'before'),
    next: neighbor(db, rest.subscription_id, filed_at, id, 'after'),
  };
}

function addressOf(db: ReadableDb, id: number, of: 'billing' | 'shipping'): Address {
  const part = (name: string, as: Part) => `customer_${of}_${name} AS ${as}`;
  return prepared<Address>(
    db,
    `SELECT ${part('address', 'street')}, ${part('address_2', 'street_2')}, ${part('city', 'city')},
       ${part('state', 'state')}, ${part('country', 'country')}, ${part('zip', 'zip')} FROM statement WHERE id = ?`,
  ).get(id)!;
}

function transactionsOf(db: ReadableDb, statement: number): StatementDetail['transactions'] {
  return prepared<StoredTransaction>(
    db,
    `SELECT ${transactionColumns} FROM txn WHERE statement_id = ? ORDER BY ordinal`,
  )
    .all(statement)
    .map(shownTransaction);
}

function eventsOf(db: ReadableDb, statement: number): StatementEvent[] {
  return prepared<StoredEvent>(
    db,
    `SELECT ${eventColumns} FROM statement_event WHERE statement_id = ? ORDER BY ordinal`,
  )
    .all(statement)
    .map(shownEvent);
}

/** Columns of an event. */
export const eventColumns =
  'id, key, message, created_at_text AS created_at, subscription_id, event_specific_data';

export type StoredEvent = Omit<StatementEvent, 'event_specific_data'> & { event_specific_data: string };

export function shownEvent(row: StoredEvent): StatementEvent {
  const data = JSON.parse(row.event_specific_data) as StatementEvent['event_specific_data'];
  return { ...row, event_specific_data: data };
}

/** Returns the subscription's statement filed next before or after this one. */
function neighbor(
  db: ReadableDb,
  subscription: number,
  filed_at: number,
  id: number,
  side: 'before' | 'after',
): StatementDetail['previous'] {
  const [sign, direction] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
  return (
    prepared<NonNullable<StatementDetail['previous']>>(
      db,
      `SELECT id, closed_at_text AS closed_at, starting_balance_in_cents, ending_balance_in_cents
       FROM statement INDEXED BY statement_subscription
       WHERE subscription_id = ? AND (filed_at, id) ${sign} (?, ?)
       ORDER BY filed_at ${direction}, id ${direction} LIMIT 1`,
    ).get(subscription, filed_at, id) ?? null
  );
}
