import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import { noteSubscriptions } from '../statements/subscription.ts';

export type PairState = 'held' | 'waiting' | 'missing' | 'problem';
export type PairSource = 'webhook' | 'statement' | 'user' | 'file';

export interface PairKey {
  subscription_id: number;
  component_id: number;
}

/** Something that tells of a pair, and, with `hinted_at` (ms UTC), that its history may have grown. */
export interface PairHint extends PairKey {
  source: PairSource;
  component_name: string | null;
  hinted_at: number | null;
}

/** Notes a pair; a known one keeps its source and state. To be called inside `commit`. Gives whether it was new. */
export function notePair(db: WritableDb, hint: PairHint): boolean {
  const { subscription_id, component_id, component_name, hinted_at, source } = hint;
  const { changes } = prepared(
    db,
    `INSERT INTO pair (subscription_id, component_id, component_name, state, source, hinted_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) ON CONFLICT (subscription_id, component_id) DO NOTHING`,
  ).run(subscription_id, component_id, component_name, source, hinted_at);
  if (changes === 1) {
    noteSubscriptions(db, [subscription_id]);
    return true;
  }
  if (component_name !== null) {
    prepared(
      db,
      `UPDATE pair SET component_name = ? WHERE subscription_id = ? AND component_id = ? AND component_name IS NOT ?`,
    ).run(component_name, subscription_id, component_id, component_name);
  }
  if (hinted_at !== null) {
    prepared(
      db,
      `UPDATE pair SET hinted_at = ? WHERE subscription_id = ? AND component_id = ? AND ifnull(hinted_at, -1) < ?`,
    ).run(hinted_at, subscription_id, component_id, hinted_at);
  }
  return false;
}

/** Sets what became of reading a pair's history; `readAt` (ms UTC): when the request began that read its newest page. */
export function setPairState(db: WritableDb, pair: PairKey, state: PairState, readAt: number): void {
  prepared(db, 'UPDATE pair SET state = ?, read_at = ? WHERE subscription_id = ? AND component_id = ?').run(
    state,
    readAt,
    pair.subscription_id,
    pair.component_id,
  );
}

/** Whether anything held shows that a subscription exists: a statement of it, or a history. */
export function isKnownSubscription(db: ReadableDb, subscription: number): boolean {
  return (
    prepared<number>(
      db,
      `SELECT EXISTS (SELECT 1 FROM statement WHERE subscription_id = ?)
         OR EXISTS (SELECT 1 FROM pair WHERE subscription_id = ? AND state = 'held')`,
    )
      .pluck()
      .get(subscription, subscription) === 1
  );
}
