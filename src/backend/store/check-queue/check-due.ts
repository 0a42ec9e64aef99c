import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/**
 * Unit of checking: a subscription (its id), or a range of webhooks whose bodies name no subscription (a negative
 * number).
 */
export type CheckUnit = number;

/** Number of consecutive webhook ids per unit of webhooks without a subscription. */
export const UNNAMED_STRETCH = 1024;

/** Returns the webhook ids of a negative unit. `until` is exclusive. */
export function unnamedIds(unit: CheckUnit): { from: number; until: number } {
  const from = (-1 - unit) * UNNAMED_STRETCH;
  return { from, until: from + UNNAMED_STRETCH };
}

/** Returns the unit with which a webhook is checked. */
export function unitOfWebhook(webhook: { id: number; subscription_id: number | null }): CheckUnit {
  return webhook.subscription_id ?? -1 - Math.floor(webhook.id / UNNAMED_STRETCH);
}

/** Marks units with changed rows for checking. */
export function noteChanged(db: WritableDb, units: ReadonlySet<CheckUnit>): void {
  prepared(
    db,
    `INSERT INTO check_due (unit) SELECT value FROM json_each(?) WHERE true
     ON CONFLICT (unit) DO UPDATE SET due_at = 0 WHERE due_at <> 0`,
  ).run(JSON.stringify([...units]));
}

/** Returns the next units due at `now` (UTC milliseconds, service clock), in order after `after`. */
export function dueUnits(db: ReadableDb, now: number, after: CheckUnit, limit: number): CheckUnit[] {
  return prepared<CheckUnit>(
    db,
    'SELECT unit FROM check_due WHERE unit > ? AND due_at <= ? ORDER BY unit LIMIT ?',
  )
    .pluck()
    .all(after, now, limit);
}

/** Returns the number of units whose rows have changed since they were checked. */
export function countChanged(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT count(*) FROM check_due WHERE due_at = 0').pluck().get() ?? 0;
}

/** Returns the number of units due by `now` (UTC milliseconds). */
export function countDue(db: ReadableDb, now: number): number {
  return prepared<number>(db, 'SELECT count(*) FROM check_due WHERE due_at <= ?').pluck().get(now) ?? 0;
}

/** Marks a unit as checked. `again` is the instant from which it must be checked again, or null. */
export function unitChecked(db: WritableDb, unit: CheckUnit, again: number | null): void {
  if (again === null) prepared(db, 'DELETE FROM check_due WHERE unit = ?').run(unit);
  else {
    prepared(
      db,
      'INSERT INTO check_due (unit, due_at) VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET due_at = excluded.due_at',
    ).run(unit, Math.max(again, 1));
  }
}

/** Returns the units in order after `after`: stored subscriptions, then webhooks without a subscription. */
export function unitsBehind(db: ReadableDb, after: CheckUnit | null, limit: number): CheckUnit[] {
  const found: CheckUnit[] = [];
  for (let last = after; (last === null || last < 0) && found.length < limit; ) {
    const next = unnamedBehind(db, last);
    if (next === null) break;
    found.push(next);
    last = next;
  }
  const named = prepared<CheckUnit>(
    db,
    'SELECT subscription_id FROM subscription WHERE subscription_id > ? ORDER BY subscription_id LIMIT ?',
  ).pluck();
  found.push(...named.all(Math.max(after ?? -1, -1), limit - found.length));
  return found;
}

/** Returns the next negative unit. They run from the newest webhooks to the oldest, because -1 has the lowest ids. */
function unnamedBehind(db: ReadableDb, after: CheckUnit | null): CheckUnit | null {
  const below = after === null ? Number.MAX_SAFE_INTEGER : unnamedIds(after).from;
  const id = prepared<number>(
    db,
    `SELECT id FROM webhook INDEXED BY webhook_unnamed WHERE subscription_id IS NULL AND id < ?
     ORDER BY id DESC LIMIT 1`,
  )
    .pluck()
    .get(below);
  return id === undefined ? null : unitOfWebhook({ id, subscription_id: null });
}

/** Returns the total number of units. */
export function countUnits(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT count(*) FROM subscription').pluck().get() ?? 0;
}
