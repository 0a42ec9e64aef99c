import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

/** Ids of records changed since a watermark, with the new watermark. */
export interface ChangedRecordIds {
  ids: number[];
  mark: number;
}

/** Returns the closed statements that a sync read or marked as vanished since a watermark (UTC milliseconds). */
export function listStatementsChangedSince(cache: ReadableDb, mark: number): ChangedRecordIds {
  const sql = `SELECT id, max(read_at, coalesce(vanished_at, 0)) AS moment FROM statement
       WHERE closed_at IS NOT NULL AND (read_at >= ? OR vanished_at >= ?) ORDER BY id`;
  return toChangedIds(prepareSql<[number, number]>(cache, sql).raw().all(mark, mark), mark);
}

/** Returns the exceptions with history entries at or after a watermark. */
export function listExceptionsChangedSince(books: ReadableDb, mark: number): ChangedRecordIds {
  const sql =
    'SELECT exception_id, max(at) FROM exception_entry WHERE at >= ? GROUP BY exception_id ORDER BY exception_id';
  return toChangedIds(prepareSql<[number, number]>(books, sql).raw().all(mark), mark);
}

function toChangedIds(found: readonly [number, number][], mark: number): ChangedRecordIds {
  return {
    ids: found.map(([id]) => id),
    mark: found.reduce((latest, [, moment]) => Math.max(latest, moment), mark),
  };
}
