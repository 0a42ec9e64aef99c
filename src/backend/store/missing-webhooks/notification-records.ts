import { findTypeEffect } from '../../../domain/ledger/index.ts';
import type {
  DatedAllocation,
  DatedEvent,
  DatedStatement,
  DatedTransaction,
  NotificationRecords,
  TimeRange,
} from '../../../domain/missing-webhooks/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Returns the stored records of a time range from which notifications follow, at most `limit` of each kind. */
export function readNotificationRecords(
  cache: ReadableDb,
  range: TimeRange,
  limit: number,
): NotificationRecords {
  const statements = listStatements(cache, range, limit);
  return {
    transactions: listTransactions(cache, range, limit),
    statements: statements.filter(
      ({ closed_at, settled_at }) => isIn(range, closed_at) || isIn(range, settled_at),
    ),
    allocations: listAllocations(cache, range, limit),
    events: [...listStatementEvents(cache, statements, range, limit), ...listFeedEvents(cache, range, limit)],
  };
}

const isIn = ({ from, to }: TimeRange, at: number | null): boolean => at !== null && at >= from && at <= to;

function listTransactions(cache: ReadableDb, { from, to }: TimeRange, limit: number): DatedTransaction[] {
  const classes = select
    .rows<{ id: number; type: string }>(cache, 'SELECT id, type FROM txn_class WHERE count > 0')
    .filter(({ type }) => findTypeEffect({ transaction_type: type, type: null })?.money != null);
  const sql = `SELECT txn.id, ifnull(txn.subscription_id, statement.subscription_id) AS subscription_id, statement_id,
       txn.created_at, transaction_type, type, kind, amount_in_cents, success, txn.memo, gateway_transaction_id
     FROM txn INDEXED BY txn_class_created JOIN statement ON statement.id = statement_id
     WHERE class_id = ? AND txn.created_at BETWEEN ? AND ? AND vanished_at IS NULL ORDER BY txn.created_at LIMIT ?`;
  const byId = new Map<number, DatedTransaction>();
  for (const { id } of classes) {
    type Row = Omit<DatedTransaction, 'success'> & { success: number | null };
    for (const { success, ...row } of prepareSql<Row>(cache, sql).iterate(id, from, to, limit))
      byId.set(row.id, { ...row, success: success === null ? null : success === 1 });
  }
  return [...byId.values()];
}

/** Returns the statements that were open at any time of the range or were settled in it. */
function listStatements(cache: ReadableDb, { from, to }: TimeRange, limit: number): DatedStatement[] {
  const sql = `SELECT id, subscription_id, nullif(opened_at, 0) AS opened_at, closed_at, settled_at,
       starting_balance_in_cents, ending_balance_in_cents
     FROM statement WHERE id IN (SELECT id FROM statement INDEXED BY statement_subscription
       WHERE vanished_at IS NULL AND ((opened_at <= ? AND (state = 0 OR dated_at >= ?)) OR settled_at BETWEEN ? AND ?)
       LIMIT ?)`;
  return select.rows<DatedStatement>(cache, sql, to, from, from, to, limit);
}

function listStatementEvents(
  cache: ReadableDb,
  statements: readonly DatedStatement[],
  { from, to }: TimeRange,
  limit: number,
): DatedEvent[] {
  const sql = `SELECT statement_event.id, statement_event.key, created_at, subscription_id, message, event_specific_data
     FROM json_each(?) AS wanted CROSS JOIN statement_event ON statement_id = wanted.value
     WHERE created_at BETWEEN ? AND ? LIMIT ?`;
  const subscriptions = new Map(statements.map(({ id, subscription_id }) => [id, subscription_id]));
  const rows = select.rows<EventRow>(cache, sql, JSON.stringify([...subscriptions.keys()]), from, to, limit);
  return rows.map((row) => toDatedEvent(row, 'statement_event'));
}

function listFeedEvents(cache: ReadableDb, { from, to }: TimeRange, limit: number): DatedEvent[] {
  const sql = `SELECT id, key, created_at, subscription_id, message, event_specific_data FROM feed_event
     WHERE created_at BETWEEN ? AND ? ORDER BY created_at LIMIT ?`;
  return select.rows<EventRow>(cache, sql, from, to, limit).map((row) => toDatedEvent(row, 'events_feed'));
}

type EventRow = Pick<DatedEvent, 'id' | 'key' | 'created_at' | 'subscription_id' | 'message'> & {
  event_specific_data: string;
};

function toDatedEvent({ event_specific_data, ...row }: EventRow, source: DatedEvent['source']): DatedEvent {
  const data = JSON.parse(event_specific_data) as Record<string, unknown> | null;
  const idOf = (name: string): number | null => {
    const id = data?.[name];
    return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
  };
  return {
    ...row,
    transaction_id: idOf('account_transaction_id'),
    component_id: idOf('component_id'),
    source,
  };
}

function listAllocations(cache: ReadableDb, { from, to }: TimeRange, limit: number): DatedAllocation[] {
  const sql = `SELECT allocation.subscription_id, allocation.component_id, component_name, timestamp_ms AS at, ordinal,
       allocation.quantity, previous_quantity, memo,
       (SELECT min(nullif(opened_at, 0)) FROM statement WHERE statement.subscription_id = allocation.subscription_id
          AND vanished_at IS NULL) AS signup_at
     FROM subscription_component INDEXED BY subscription_component_last_change
     CROSS JOIN allocation ON allocation.subscription_id = subscription_component.subscription_id
       AND allocation.component_id = subscription_component.component_id
     WHERE last_at >= ? AND timestamp_ms BETWEEN ? AND ? LIMIT ?`;
  return select.rows<DatedAllocation>(cache, sql, from, from, to, limit);
}
