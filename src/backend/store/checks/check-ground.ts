import { prepared, type ReadableDb } from '../database.ts';
import { missingStatements } from '../statements/statement-needs.ts';

/** The newest and the oldest created_at of the webhooks held, ms UTC; null where none is held. */
export function logEnds(db: ReadableDb): { oldest: number; newest: number } | null {
  const end = (direction: 'ASC' | 'DESC') =>
    prepared<number>(
      db,
      `SELECT created_at FROM webhook INDEXED BY webhook_created WHERE created_at > 0 ORDER BY created_at ${direction} LIMIT 1`,
    )
      .pluck()
      .get();
  const oldest = end('ASC');
  const newest = end('DESC');
  return oldest === undefined || newest === undefined ? null : { oldest, newest };
}

/** When the newest sync began, by our clock; null before the first. */
export function lastSyncBegan(db: ReadableDb): number | null {
  return (
    prepared<number>(db, 'SELECT started_at FROM sync_run ORDER BY started_at DESC LIMIT 1').pluck().get() ??
    null
  );
}

/** A statement of which nothing is held, and whose it is as far as something tells. */
export interface MissingStatement {
  id: number;
  subscription_id: number | null;
}

/** Where more are missing, a sync is under way, and it is not asked whose they are. */
const MANY = 1000;

/** Statements the service lists of which nothing is held. Whose they are is told by webhooks, or by what could not be read. */
export function missingOnes(db: ReadableDb): MissingStatement[] {
  const missing = missingStatements(db);
  if (missing.length > MANY) return missing.map((id) => ({ id, subscription_id: null }));
  const hinted = prepared<number>(
    db,
    'SELECT subscription_id FROM webhook WHERE statement_id = ? AND subscription_id IS NOT NULL LIMIT 1',
  ).pluck();
  const unread = prepared<string>(
    db,
    "SELECT raw FROM problem WHERE part = 'statements' AND place IN (?, ?) AND raw IS NOT NULL LIMIT 1",
  ).pluck();
  return missing.map((id) => {
    const told = hinted.get(id) ?? null;
    if (told !== null) return { id, subscription_id: told };
    const raw = unread.get(`statement ${id}`, `statements[id=${id}]`) ?? '';
    const named = /"?subscription_id"?[^>\d]{0,20}>?\s*(\d{1,15})\b/.exec(raw)?.[1];
    return { id, subscription_id: named === undefined ? null : Number(named) };
  });
}

/** Subscriptions with statements, evenly chosen, at most about `most` of them. */
export function someSubscriptions(db: ReadableDb, most: number): number[] {
  const count =
    prepared<number>(db, 'SELECT count(*) FROM subscription WHERE statements > 0').pluck().get() ?? 0;
  return prepared<number>(
    db,
    `SELECT subscription_id FROM (
       SELECT subscription_id, row_number() OVER (ORDER BY subscription_id) AS n FROM subscription WHERE statements > 0)
     WHERE n % ? = 0`,
  )
    .pluck()
    .all(Math.max(1, Math.ceil(count / most)));
}
