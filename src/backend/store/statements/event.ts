import type { StatementEvent } from '../../../billing/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepare, type WritableDb } from '../sqlite/connection.ts';

const insert = `INSERT INTO statement_event (statement_id, ordinal, id, key, message, created_at, created_at_text,
    subscription_id, event_specific_data, extra)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Replaces a statement's events, in the order sent. */
export function replaceEvents(db: WritableDb, statement: number, rows: readonly StatementEvent[]): void {
  prepare(db, 'DELETE FROM statement_event WHERE statement_id = ?').run(statement);
  rows.forEach((row, ordinal) => {
    prepare(db, insert).run(
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
