import { noteChanged, unitOfWebhook } from '../check-queue/check-due.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';

/** Milliseconds per day. */
export const DAY = 86_400_000;

/** A newly stored row of the log. */
export interface Arrival {
  id: number;
  class_id: number;
  error_id: number | null;
  /** UTC milliseconds. 0 if unknown. */
  created_at: number;
  subscription_id: number | null;
}

/**
 * Counts new rows and marks them for indexing and checking. Must be called in the transaction that inserts them. Triggers
 * record later changes and deletions.
 */
export function noteArrivals(db: WritableDb, arrivals: readonly Arrival[]): void {
  if (arrivals.length === 0) return;
  count(
    db,
    'webhook_class',
    arrivals.map(({ class_id }) => class_id),
  );
  count(
    db,
    'webhook_error',
    arrivals.flatMap(({ error_id }) => error_id ?? []),
  );
  countDays(db, arrivals);
  prepared(
    db,
    'INSERT INTO webhook_unindexed (id) SELECT value FROM json_each(?) WHERE true ON CONFLICT (id) DO NOTHING',
  ).run(JSON.stringify(arrivals.map(({ id }) => id)));
  noteChanged(db, new Set(arrivals.map(unitOfWebhook)));
}

function count(db: WritableDb, table: 'webhook_class' | 'webhook_error', ids: readonly number[]): void {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, more] of counts) {
    prepared(db, `UPDATE ${table} SET count = count + ? WHERE id = ?`).run(more, id);
  }
}

function countDays(db: WritableDb, arrivals: readonly Arrival[]): void {
  const days = new Map<
    string,
    { day: number; class_id: number; count: number; first: number; last: number }
  >();
  for (const { id, class_id, created_at } of arrivals) {
    const day = Math.trunc(created_at / DAY);
    const key = `${day} ${class_id}`;
    const known = days.get(key);
    if (known === undefined) {
      days.set(key, { day, class_id, count: 1, first: id, last: id });
    } else {
      known.count += 1;
      known.first = Math.min(known.first, id);
      known.last = Math.max(known.last, id);
    }
  }
  for (const { day, class_id, count, first, last } of days.values()) {
    prepared(
      db,
      `INSERT INTO webhook_day (day, class_id, count, first_id, last_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (day, class_id) DO UPDATE SET count = count + excluded.count,
         first_id = min(first_id, excluded.first_id), last_id = max(last_id, excluded.last_id)`,
    ).run(day, class_id, count, first, last);
  }
}
