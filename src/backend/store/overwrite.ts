import { contractError } from '../../contract/index.ts';
import { auditEnd } from './books/audit-list.ts';
import { connect, type ReadableDb } from './database.ts';

const EVERYTHING = 0x7fffffff;

/** Sees whether others have written to a store since it began to watch. */
export function watchOf(path: string): { isUnchanged(): boolean; close(): void } {
  const db = connect(path, { readonly: true }) as ReadableDb;
  const version = () => db.pragma('data_version', { simple: true });
  const before = version();
  return { isUnchanged: () => version() === before, close: () => db.close() };
}

/**
 * Writes the whole content of `from` over the books at `path`, as one transaction beside which nobody writes: readers see the old books or the
 * new ones, and so does whoever opens them after a crash. `isUnchanged` is asked when no more can be written; where it denies, or another process
 * is writing, nothing is changed (`conflict`).
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

/** SQLite says the copy was made; the books are looked at to see that it was. */
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
