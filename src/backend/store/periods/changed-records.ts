import { prepare, type ReadableDb } from '../sqlite/connection.ts';

/** Ids written since a mark, and the new mark. */
export interface ChangedIds {
  ids: number[];
  mark: number;
}

/** Returns the closed statements read or vanished since a mark. Marks are instants. */
export function listStatementsChangedSince(cache: ReadableDb, mark: number): ChangedIds {
  const sql = `SELECT id, max(read_at, coalesce(vanished_at, 0)) AS moment FROM statement
       WHERE closed_at IS NOT NULL AND (read_at >= ? OR vanished_at >= ?) ORDER BY id`;
  return toChangedIds(prepare<[number, number]>(cache, sql).raw().all(mark, mark), mark);
}

/** Returns the exceptions with history entries since a mark. */
export function listExceptionsChangedSince(books: ReadableDb, mark: number): ChangedIds {
  const sql =
    'SELECT exception_id, max(at) FROM exception_entry WHERE at >= ? GROUP BY exception_id ORDER BY exception_id';
  return toChangedIds(prepare<[number, number]>(books, sql).raw().all(mark), mark);
}

function toChangedIds(found: readonly [number, number][], mark: number): ChangedIds {
  return {
    ids: found.map(([id]) => id),
    mark: found.reduce((latest, [, moment]) => Math.max(latest, moment), mark),
  };
}
