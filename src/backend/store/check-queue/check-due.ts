import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Unit of checking: a subscription id, or a negative number for a range of webhooks without one. */
export type CheckQueueUnit = number;

/** Number of consecutive webhook ids per unit of webhooks without a subscription. */
export const WEBHOOKS_PER_UNIT = 1024;

/** Returns the webhook ids of a negative unit. `until` is exclusive. */
export function getWebhookIdsOfUnit(unit: CheckQueueUnit): { from: number; until: number } {
  const from = (-1 - unit) * WEBHOOKS_PER_UNIT;
  return { from, until: from + WEBHOOKS_PER_UNIT };
}

/** Returns the unit with which a webhook is checked. */
export function getUnitOfWebhook(webhook: { id: number; subscription_id: number | null }): CheckQueueUnit {
  return webhook.subscription_id ?? -1 - Math.floor(webhook.id / WEBHOOKS_PER_UNIT);
}

/** Marks units with changed rows for checking. */
export function markUnitsChanged(db: WritableDb, units: ReadonlySet<CheckQueueUnit>): void {
  const sql = `INSERT INTO check_due (unit) SELECT value FROM json_each(?) WHERE true
     ON CONFLICT (unit) DO UPDATE SET due_at = 0 WHERE due_at <> 0`;
  prepare(db, sql).run(JSON.stringify([...units]));
}

/** Returns the next units due at `now` (UTC milliseconds, service clock), in order after `after`. */
export function listDueUnits(
  db: ReadableDb,
  now: number,
  after: CheckQueueUnit,
  limit: number,
): CheckQueueUnit[] {
  const sql = 'SELECT unit FROM check_due WHERE unit > ? AND due_at <= ? ORDER BY unit LIMIT ?';
  return select.values<CheckQueueUnit>(db, sql, after, now, limit);
}

/** Returns the number of units whose rows have changed since they were checked. */
export function countChangedUnits(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT count(*) FROM check_due WHERE due_at = 0') ?? 0;
}

/** Returns the number of units due by `now` (UTC milliseconds). */
export function countDueUnits(db: ReadableDb, now: number): number {
  return select.value<number>(db, 'SELECT count(*) FROM check_due WHERE due_at <= ?', now) ?? 0;
}

/** Marks a unit as checked. `again` is the instant from which it must be checked again, or null. */
export function markUnitChecked(db: WritableDb, unit: CheckQueueUnit, again: number | null): void {
  if (again === null) prepare(db, 'DELETE FROM check_due WHERE unit = ?').run(unit);
  else {
    const sql =
      'INSERT INTO check_due (unit, due_at) VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET due_at = excluded.due_at';
    prepare(db, sql).run(unit, Math.max(again, 1));
  }
}

/** Returns the units in order after `after`: stored subscriptions, then webhooks without a subscription. */
export function listUnitsAfter(
  db: ReadableDb,
  after: CheckQueueUnit | null,
  limit: number,
): CheckQueueUnit[] {
  const found: CheckQueueUnit[] = [];
  for (let last = after; (last === null || last < 0) && found.length < limit; ) {
    const next = findUnnamedUnitAfter(db, last);
    if (next === null) break;
    found.push(next);
    last = next;
  }
  const sql =
    'SELECT subscription_id FROM subscription WHERE subscription_id > ? ORDER BY subscription_id LIMIT ?';
  const named = prepare<CheckQueueUnit>(db, sql).pluck();
  found.push(...named.all(Math.max(after ?? -1, -1), limit - found.length));
  return found;
}

/** Returns the next negative unit. They run from the newest webhooks to the oldest, because -1 has the lowest ids. */
function findUnnamedUnitAfter(db: ReadableDb, after: CheckQueueUnit | null): CheckQueueUnit | null {
  const below = after === null ? Number.MAX_SAFE_INTEGER : getWebhookIdsOfUnit(after).from;
  const sql = `SELECT id FROM webhook INDEXED BY webhook_unnamed WHERE subscription_id IS NULL AND id < ?
     ORDER BY id DESC LIMIT 1`;
  const id = prepare<number>(db, sql).pluck().get(below);
  return id === undefined ? null : getUnitOfWebhook({ id, subscription_id: null });
}

/** Returns the total number of units. */
export function countUnits(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT count(*) FROM subscription') ?? 0;
}
