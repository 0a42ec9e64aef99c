import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Ids written since a mark, and the new mark. */
export interface Since {
  ids: number[];
  mark: number;
}

/** Returns the closed statements read or vanished since a mark. Marks are instants. */
export function statementsSince(cache: ReadableDb, mark: number): Since {
  return since(
    prepared<[number, number]>(
      cache,
      `SELECT id, max(read_at, coalesce(vanished_at, 0)) AS moment FROM statement
       WHERE closed_at IS NOT NULL AND (read_at >= ? OR vanished_at >= ?) ORDER BY id`,
    )
      .raw()
      .all(mark, mark),
    mark,
  );
}

/** Returns the exceptions with history entries since a mark. */
export function exceptionsSince(books: ReadableDb, mark: number): Since {
  return since(
    prepared<[number, number]>(
      books,
      'SELECT exception_id, max(at) FROM exception_entry WHERE at >= ? GROUP BY exception_id ORDER BY exception_id',
    )
      .raw()
      .all(mark),
    mark,
  );
}

function since(found: readonly [number, number][], mark: number): Since {
  return {
    ids: found.map(([id]) => id),
    mark: found.reduce((latest, [, moment]) => Math.max(latest, moment), mark),
  };
}
