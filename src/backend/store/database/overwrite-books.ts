import { contractError } from '../../../contract/index.ts';
import { auditEnd } from '../audit-log/audit-list.ts';
import { connect, type ReadableDb } from '../sqlite/connection.ts';

const EVERYTHING = 0x7fffffff;

/** Detects whether others write to a database from now on. */
export function watchOf(path: string): { isUnchanged(): boolean; close(): void } {
  const db = connect(path, { readonly: true }) as ReadableDb;
  const version = () => db.pragma('data_version', { simple: true });
  const before = version();
  return { isUnchanged: () => version() === before, close: () => db.close() };
}

/**
 * Overwrites the books at `path` with the content of `from` in one exclusive transaction: readers, and whoever opens the
 * file after a crash, see the old books or the new ones. `isUnchanged` is called when no more writes are possible. If it
 * returns false, or another process is writing, nothing is changed (`conflict`).
 */
export async function overwriteBooks(from: string, path: string, isUnchanged: () => boolean): Promise<void> {
  const source = connect(from, { readonly: true }) as ReadableDb;
  try {
    const end = auditEnd(source);
    let begun = false;
    await source.backup(path, {
      progress() {
        if (!begun && !isUnchanged()) throw contractError(written());
        begun = true;
        return EVERYTHING;
      },
    });
    if (!begun) throw contractError(written());
    expectEnd(path, end?.hash);
  } finally {
    source.close();
  }
}

/** Verifies that the books end as expected, although SQLite reported success. */
function expectEnd(path: string, hash: string | undefined): void {
  const books = connect(path, { readonly: true }) as ReadableDb;
  try {
    if (auditEnd(books)?.hash !== hash) throw contractError(written());
  } finally {
    books.close();
  }
}

function written() {
  return {
    code: 'conflict' as const,
    message: 'The books were being written to, so nothing was put in their place.',
    hint: 'Look at the difference again.',
    retryable: true,
  };
}
