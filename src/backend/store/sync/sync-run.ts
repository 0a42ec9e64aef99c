import type { ErrorValue, SyncRun } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** A sync as stored in the cache. Instants are UTC milliseconds. */
export interface StoredSyncRun {
  job: string;
  started_at: number;
  ended_at: number | null;
  state: SyncRun['state'];
  requests: SyncRun['requests'];
  rows: SyncRun['rows'];
  bytes: number;
  complete: boolean;
  error: ErrorValue | null;
}

/** Saves the start, progress or end of a sync. */
export function saveSyncRun(db: WritableDb, run: StoredSyncRun): void {
  const { job, started_at, ended_at, state, bytes } = run;
  const result = {
    ...{ ended_at, state, bytes },
    requests: JSON.stringify(run.requests),
    rows: JSON.stringify(run.rows),
    complete: Number(run.complete),
    error: run.error === null ? null : JSON.stringify(run.error),
  };
  const onConflict = onConflictSql('job', ...Object.keys(result));
  insertRow(db, 'sync_run', { job, started_at, ...result }, onConflict);
}

/** Marks syncs of a crashed process as interrupted. Returns the number of syncs marked. */
export function interruptSyncRuns(db: WritableDb, at: number): number {
  return prepareSql(
    db,
    "UPDATE sync_run SET state = 'interrupted', ended_at = ? WHERE state = 'running'",
  ).run(at).changes;
}

/** Returns the latest start or end of any sync (UTC milliseconds), or null if there was none. */
export function findLastSyncTime(db: ReadableDb): number | null {
  const sql = 'SELECT max(max(started_at, ifnull(ended_at, 0))) FROM sync_run';
  return select.value<number>(db, sql);
}
