import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/**
 * What is checked by itself: a subscription, by its id; or webhooks whose body names no subscription, a stretch of ids at a time,
 * by a number below 0.
 */
export type CheckUnit = number;

/** Webhooks without a subscription that are checked together: those of so many ids. */
export const UNNAMED_STRETCH = 1024;

/** The ids of a unit below 0: from, and up to but not including, until. */
export function unnamedIds(unit: CheckUnit): { from: number; until: number } {
  const from = (-1 - unit) * UNNAMED_STRETCH;
  return { from, until: from + UNNAMED_STRETCH };
}

/** The unit a webhook is checked with. */
export function unitOfWebhook(webhook: { id: number; subscription_id: number | null }): CheckUnit {
  return webhook.subscription_id ?? -1 - Math.floor(webhook.id / UNNAMED_STRETCH);
}

/** Rows of these units changed: they are to be checked. */
export function noteChanged(db: WritableDb, units: ReadonlySet<CheckUnit>): void {
  prepared(
    db,
    `INSERT INTO check_due (unit) SELECT value FROM json_each(?) WHERE true
     ON CONFLICT (unit) DO UPDATE SET due_at = 0 WHERE due_at <> 0`,
  ).run(JSON.stringify([...units]));
}

/** The next units that are due at `now` (the service’s clock, ms UTC), in their order behind `after`. */
export function dueUnits(db: ReadableDb, now: number, after: CheckUnit, limit: number): CheckUnit[] {
  return prepared<CheckUnit>(
    db,
    'SELECT unit FROM check_due WHERE unit > ? AND due_at <= ? ORDER BY unit LIMIT ?',
  )
    .pluck()
    .all(after, now, limit);
}

/** How many are due because rows of theirs changed since they were checked. */
export function countChanged(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT count(*) FROM check_due WHERE due_at = 0').pluck().get() ?? 0;
}

/** How many units (subscriptions) are to be checked by `now`, ms UTC. */
export function countDue(db: ReadableDb, now: number): number {
  return prepared<number>(db, 'SELECT count(*) FROM check_due WHERE due_at <= ?').pluck().get(now) ?? 0;
}

/** A unit was checked; `again` is the moment from which on it is to be checked again, null where it need not be. */
export function unitChecked(db: WritableDb, unit: CheckUnit, again: number | null): void {
  if (again === null) prepared(db, 'DELETE FROM check_due WHERE unit = ?').run(unit);
  else {
    prepared(
      db,
      'INSERT INTO check_due (unit, due_at) VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET due_at = excluded.due_at',
    ).run(unit, Math.max(again, 1));
  }
}

/** Every unit there is, in order, behind `after`: the subscriptions held, and the webhooks that name none. */
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

/** Units below 0 go from the newest webhooks to the oldest, as -1 holds the first ids. */
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

/** How many units there are in all. */
export function countUnits(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT count(*) FROM subscription').pluck().get() ?? 0;
}
