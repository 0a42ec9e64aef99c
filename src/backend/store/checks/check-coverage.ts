import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { listMissingStatementIds } from '../statements/statements-to-fetch.ts';

/** Returns the oldest and newest `created_at` of the stored webhooks (UTC milliseconds), or null if there are none. */
export function findWebhookLogTimeRange(db: ReadableDb): { oldest: number; newest: number } | null {
  const end = (direction: 'ASC' | 'DESC') =>
    prepareSql<number>(
      db,
      `SELECT created_at FROM webhook INDEXED BY webhook_created WHERE created_at > 0 ORDER BY created_at ${direction} LIMIT 1`,
    )
      .pluck()
      .get();
  const oldest = end('ASC');
  const newest = end('DESC');
  return oldest === undefined || newest === undefined ? null : { oldest, newest };
}

/** Returns when the latest sync started (UTC milliseconds, local clock), or null if there was none. */
export function findLastSyncStart(db: ReadableDb): number | null {
  return select.value<number>(db, 'SELECT started_at FROM sync_run ORDER BY started_at DESC LIMIT 1');
}

/** A statement on the service's list that is not stored, with its subscription if known. */
export interface MissingStatement {
  id: number;
  subscription_id: number | null;
}

/** Maximum number of missing statements for which subscriptions are looked up. Above it, a sync is probably running. */
const MAX_SUBSCRIPTION_LOOKUPS = 1000;

/** Returns listed statements that are not stored. Webhooks or sync problems may name their subscriptions. */
export function listMissingStatements(db: ReadableDb): MissingStatement[] {
  const missing = listMissingStatementIds(db);
  if (missing.length > MAX_SUBSCRIPTION_LOOKUPS) return missing.map((id) => ({ id, subscription_id: null }));
  const hintedSql =
    'SELECT subscription_id FROM webhook WHERE statement_id = ? AND subscription_id IS NOT NULL LIMIT 1';
  const hinted = prepareSql<number>(db, hintedSql).pluck();
  const unreadSql =
    "SELECT raw FROM problem WHERE part = 'statements' AND location IN (?, ?) AND raw IS NOT NULL LIMIT 1";
  const unread = prepareSql<string>(db, unreadSql).pluck();
  return missing.map((id) => {
    const fromWebhook = hinted.get(id) ?? null;
    if (fromWebhook !== null) return { id, subscription_id: fromWebhook };
    const raw = unread.get(`statement ${id}`, `statements[id=${id}]`) ?? '';
    const named = /"?subscription_id"?[^>\d]{0,20}>?\s*(\d{1,15})\b/.exec(raw)?.[1];
    return { id, subscription_id: named === undefined ? null : Number(named) };
  });
}

/** Returns about `targetCount` subscriptions with statements, sampled evenly. */
export function sampleSubscriptionIds(db: ReadableDb, targetCount: number): number[] {
  const count = select.value<number>(db, 'SELECT count(*) FROM subscription WHERE statements > 0') ?? 0;
  const sql = `SELECT subscription_id FROM (
       SELECT subscription_id, row_number() OVER (ORDER BY subscription_id) AS n FROM subscription WHERE statements > 0)
     WHERE n % ? = 0`;
  return select.values<number>(db, sql, Math.max(1, Math.ceil(count / targetCount)));
}
