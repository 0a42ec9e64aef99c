import type { FeedState, TimeRange } from '../../../domain/missing-webhooks/index.ts';
import {
  prepareSql,
  type ReadableDb,
  runInTransaction,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** An event of the service's events feed. `created_at` is UTC milliseconds; the data is JSON. */
export interface StoredFeedEvent {
  id: number;
  key: string;
  created_at: number;
  subscription_id: number | null;
  message: string | null;
  event_specific_data: string;
}

/** Stores events of the feed and the outcome of reading a time range. `readAt` is UTC milliseconds. */
export function saveFeedRange(
  cache: WritableDb,
  { from, to }: TimeRange,
  state: Exclude<FeedState, 'not_read'>,
  { events, readAt }: { events: readonly StoredFeedEvent[]; readAt: number },
): void {
  runInTransaction(cache, () => {
    for (const event of events)
      insertRow(cache, 'feed_event', event, onConflictSql('id', ...Object.keys(event)));
    const row = { from_at: from, to_at: to, state, read_at: readAt };
    insertRow(cache, 'feed_range', row, onConflictSql('from_at, to_at', 'state', 'read_at'));
  });
}

/** Returns how much of the events feed is stored for a time range. */
export function findFeedState(cache: ReadableDb, { from, to }: TimeRange): FeedState {
  const completeSql = `SELECT 1 FROM feed_range WHERE state = 'complete' AND from_at <= ? AND to_at >= ? LIMIT 1`;
  if (prepareSql(cache, completeSql).get(from, to) !== undefined) return 'complete';
  const latestSql = `SELECT state FROM feed_range
     WHERE state = 'unavailable' OR (state = 'incomplete' AND from_at <= ? AND to_at >= ?)
     ORDER BY read_at DESC LIMIT 1`;
  return select.value<FeedState>(cache, latestSql, from, to) ?? 'not_read';
}
