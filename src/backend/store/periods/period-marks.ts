import { prepared, type ReadableDb } from '../database.ts';

/** What was written since a mark: its ids, and the mark it goes up to. */
export interface Since {
  ids: number[];
  mark: number;
}

/** Closed statements that were read or vanished since, the moments being the mark’s. */
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

/** Exceptions to which something happened since. */
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
