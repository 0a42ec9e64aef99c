import { createContractError } from '../../../contract/index.ts';
import { findAuditLogEnd } from '../audit-log/audit-entry-list.ts';
import { openSqlite, type ReadableDb } from '../sqlite/connection.ts';

const ALL_PAGES = 0x7fffffff;

/** Watches a database for writes by other connections. */
export function watchDatabaseWrites(path: string): { isUnchanged(): boolean; close(): void } {
  const db = openSqlite(path, { readonly: true }) as ReadableDb;
  const version = () => db.pragma('data_version', { simple: true });
  const before = version();
  return { isUnchanged: () => version() === before, close: () => db.close() };
}

/**
 * Overwrites the books at `path` with the content of `from` in one exclusive transaction. Readers, and a process that
 * opens the file after a crash, see either the old or the new books. `isUnchanged` is called once no other process can
 * write. If `isUnchanged` returns false or another process is writing, changes nothing and throws `conflict`.
 */
export async function overwriteBooks(from: string, path: string, isUnchanged: () => boolean): Promise<void> {
  const source = openSqlite(from, { readonly: true }) as ReadableDb;
  try {
    const end = findAuditLogEnd(source);
    let begun = false;
    await source.backup(path, {
      progress() {
        if (!begun && !isUnchanged()) throw createContractError(createBooksInUseError());
        begun = true;
        return ALL_PAGES;
      },
    });
    if (!begun) throw createContractError(createBooksInUseError());
    verifyAuditEnd(path, end?.hash);
  } finally {
    source.close();
  }
}

/** Verifies the last audit log entry of the restored books, even if SQLite reported success. */
function verifyAuditEnd(path: string, hash: string | undefined): void {
  const books = openSqlite(path, { readonly: true }) as ReadableDb;
  try {
    if (findAuditLogEnd(books)?.hash !== hash) throw createContractError(createBooksInUseError());
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
