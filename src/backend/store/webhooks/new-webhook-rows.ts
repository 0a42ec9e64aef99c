import { getWebhookCheckUnit, markCheckUnitsChanged } from '../check-queue/check-queue.ts';
import { prepareSql, type WritableDb } from '../sqlite/connection.ts';

export const DAY_MS = 86_400_000;

/** A newly stored webhook. */
export interface NewWebhookRow {
  id: number;
  class_id: number;
  error_id: number | null;
  /** Creation time in UTC milliseconds. 0 if unknown. */
  created_at: number;
  subscription_id: number | null;
}

/** Counts new webhooks and marks them for indexing and checking. Database triggers handle later changes. */
export function recordNewWebhookRows(db: WritableDb, arrivals: readonly NewWebhookRow[]): void {
  if (arrivals.length === 0) return;
  addToCounts(
    db,
    'webhook_class',
    arrivals.map(({ class_id }) => class_id),
  );
  addToCounts(
    db,
    'webhook_error',
    arrivals.flatMap(({ error_id }) => error_id ?? []),
  );
  countDays(db, arrivals);
  const sql =
    'INSERT INTO webhook_unindexed (id) SELECT value FROM json_each(?) WHERE true ON CONFLICT (id) DO NOTHING';
  prepareSql(db, sql).run(JSON.stringify(arrivals.map(({ id }) => id)));
  markCheckUnitsChanged(db, new Set(arrivals.map(getWebhookCheckUnit)));
}

function addToCounts(db: WritableDb, table: 'webhook_class' | 'webhook_error', ids: readonly number[]): void {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, more] of counts) {
    prepareSql(db, `UPDATE ${table} SET count = count + ? WHERE id = ?`).run(more, id);
  }
}

function countDays(db: WritableDb, arrivals: readonly NewWebhookRow[]): void {
  const days = new Map<
    string,
    { day: number; class_id: number; count: number; first: number; last: number }
  >();
  for (const { id, class_id, created_at } of arrivals) {
    const day = Math.trunc(created_at / DAY_MS);
    const key = `${day} ${class_id}`;
    const counts = days.get(key);
    if (counts === undefined) {
      days.set(key, { day, class_id, count: 1, first: id, last: id });
    } else {
      counts.count += 1;
      counts.first = Math.min(counts.first, id);
      counts.last = Math.max(counts.last, id);
    }
  }
  for (const { day, class_id, count, first, last } of days.values()) {
    const sql = `INSERT INTO webhook_day (day, class_id, count, first_id, last_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (day, class_id) DO UPDATE SET count = count + excluded.count,
         first_id = min(first_id, excluded.first_id), last_id = max(last_id, excluded.last_id)`;
    prepareSql(db, sql).run(day, class_id, count, first, last);
  }
}
