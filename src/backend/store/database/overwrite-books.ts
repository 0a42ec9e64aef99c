import { contractError } from '../../../contract/index.ts';
import { findAuditEnd } from '../audit-log/audit-list.ts';
import { connect, type ReadableDb } from '../sqlite/connection.ts';

const ALL_PAGES = 0x7fffffff;

/** Watches a database for writes by other connections. */
export function watchWrites(path: string): { isUnchanged(): boolean; close(): void } {
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
    const end = findAuditEnd(source);
    let begun = false;
    await source.backup(path, {
      progress() {
        if (!begun && !isUnchanged()) throw contractError(createBooksInUseError());
        begun = true;
        return ALL_PAGES;
      },
    });
    if (!begun) throw contractError(createBooksInUseError());
    verifyAuditEnd(path, end?.hash);
  } finally {
    source.close();
  }
}

/** Verifies the final state of the books, even if SQLite reported success. */
function verifyAuditEnd(path: string, hash: string | undefined): void {
  const books = connect(path, { readonly: true }) as ReadableDb;
  try {
    if (findAuditEnd(books)?.hash !== hash) throw contractError(createBooksInUseError());
  } finally {
    books.close();
  }
}

function createBooksInUseError() {
  return {
    code: 'conflict' as const,
    message: 'The books were in use, so nothing was restored.',
    hint: 'Review the comparison again.',
    retryable: true,
  };
}
