import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Unit of checking: a subscription id, or a negative number for a range of webhooks without a subscription. */
export type CheckQueueUnit = number;

/** Number of consecutive webhook ids per check unit, for webhooks without a subscription. */
export const WEBHOOKS_PER_CHECK_UNIT = 1024;

/** Returns the range of webhook ids that a negative check unit covers. `until` is exclusive. */
export function getCheckUnitWebhookIds(unit: CheckQueueUnit): { from: number; until: number } {
  const from = (-1 - unit) * WEBHOOKS_PER_CHECK_UNIT;
  return { from, until: from + WEBHOOKS_PER_CHECK_UNIT };
}

/** Returns the check unit to which a webhook belongs. */
export function getWebhookCheckUnit(webhook: { id: number; subscription_id: number | null }): CheckQueueUnit {
  return webhook.subscription_id ?? -1 - Math.floor(webhook.id / WEBHOOKS_PER_CHECK_UNIT);
}

/** Queues check units because their rows have changed. */
export function markCheckUnitsChanged(db: WritableDb, units: ReadonlySet<CheckQueueUnit>): void {
  const sql = `INSERT INTO check_due (unit) SELECT value FROM json_each(?) WHERE true
     ON CONFLICT (unit) DO UPDATE SET due_at = 0 WHERE due_at <> 0`;
  prepareSql(db, sql).run(JSON.stringify([...units]));
}

/** Returns the next check units after `after` that are due at `now` (UTC milliseconds, service's clock). */
export function listDueCheckUnits(
  db: ReadableDb,
  now: number,
  after: CheckQueueUnit,
  limit: number,
): CheckQueueUnit[] {
  const sql = 'SELECT unit FROM check_due WHERE unit > ? AND due_at <= ? ORDER BY unit LIMIT ?';
  return select.values<CheckQueueUnit>(db, sql, after, now, limit);
}

/** Returns the number of check units whose rows have changed since their last check. */
export function countChangedCheckUnits(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT count(*) FROM check_due WHERE due_at = 0') ?? 0;
}

/** Returns the number of check units due at `now` (UTC milliseconds). */
export function countDueCheckUnits(db: ReadableDb, now: number): number {
  return select.value<number>(db, 'SELECT count(*) FROM check_due WHERE due_at <= ?', now) ?? 0;
}

/** Marks a unit as checked. `again` is the time of its next check (UTC milliseconds), or null if none is due. */
export function completeCheckUnit(db: WritableDb, unit: CheckQueueUnit, again: number | null): void {
  if (again === null) prepareSql(db, 'DELETE FROM check_due WHERE unit = ?').run(unit);
  else {
    const sql =
      'INSERT INTO check_due (unit, due_at) VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET due_at = excluded.due_at';
    prepareSql(db, sql).run(unit, Math.max(again, 1));
  }
}

/** Returns the check units after `after`: units of webhooks without a subscription, then subscriptions. */
export function listCheckUnitsAfter(
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
  const named = prepareSql<CheckQueueUnit>(db, sql).pluck();
  found.push(...named.all(Math.max(after ?? -1, -1), limit - found.length));
  return found;
}

/** Returns the next negative check unit. Higher units have older webhooks, so ascending order is newest first. */
function findUnnamedUnitAfter(db: ReadableDb, after: CheckQueueUnit | null): CheckQueueUnit | null {
  const below = after === null ? Number.MAX_SAFE_INTEGER : getCheckUnitWebhookIds(after).from;
  const sql = `SELECT id FROM webhook INDEXED BY webhook_unnamed WHERE subscription_id IS NULL AND id < ?
     ORDER BY id DESC LIMIT 1`;
  const id = prepareSql<number>(db, sql).pluck().get(below);
  return id === undefined ? null : getWebhookCheckUnit({ id, subscription_id: null });
}

/** Returns the number of check units that are subscriptions. */
export function countCheckUnits(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT count(*) FROM subscription') ?? 0;
}
