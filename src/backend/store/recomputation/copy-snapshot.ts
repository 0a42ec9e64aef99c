import { beginReadTransaction, openSqlite, type ReadableDb } from '../sqlite/connection.ts';

/** Number of pages copied before the thread can do other work: 4 MB at 4 KB per page. Chosen by judgment. */
const PAGES_PER_STEP = 1000;

/** A database file and the path of its copy. */
export interface SnapshotFile {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies databases as they are at the time of the call. Others can write meanwhile. `progress` receives the number of
 * copied pages and their total. Throws if the signal aborts.
 */
export async function copySnapshot(
  files: readonly SnapshotFile[],
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const sources: ReadableDb[] = [];
  try {
    for (const { from } of files) {
      const db = openSqlite(from, { readonly: true }) as ReadableDb;
      sources.push(db);
      beginReadTransaction(db);
    }
    const sizes = sources.map((db) => Number(db.pragma('page_count', { simple: true })));
    const total = sizes.reduce((sum, pages) => sum + pages, 0);
    let before = 0;
    for (const [index, { to }] of files.entries()) {
      await sources[index]?.backup(to, {
        progress({ totalPages, remainingPages }) {
          signal.throwIfAborted();
          progress(before + totalPages - remainingPages, total);
          return PAGES_PER_STEP;
        },
      });
      before += sizes[index] ?? 0;
    }
  } finally {
    for (const db of sources) db.close();
  }
}
