import type { StatementEvent } from '../../../billing/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type WritableDb } from '../sqlite/connection.ts';

const insert = `INSERT INTO statement_event (statement_id, ordinal, id, key, message, created_at, created_at_text,
    subscription_id, event_specific_data, extra)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Replaces the events of a statement, in the order in which the service sent them. */
export function replaceStatementEvents(
  db: WritableDb,
  statement: number,
  rows: readonly StatementEvent[],
): void {
  prepareSql(db, 'DELETE FROM statement_event WHERE statement_id = ?').run(statement);
  rows.forEach((row, ordinal) => {
    prepareSql(db, insert).run(
      statement,
      ordinal,
      row.id,
      row.key,
      row.message,
      parseTimestamp(row.created_at),
      row.created_at,
      row.subscription_id,
      JSON.stringify(row.event_specific_data),
      JSON.stringify(row.extra),
    );
  });
}
