import { statSync } from 'node:fs';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns how often the input of matching runs has changed, not counting changes by the runs themselves. */
export function countMatchInputChanges(books: ReadableDb): number {
  return select.value<number>(books, 'SELECT changes FROM match_input') ?? 0;
}

/**
 * Returns a version of the cache's transactions with amounts in this currency. The version changes if a transaction is
 * added or deleted, and with each new cache file.
 */
export function getTransactionsVersion(cache: ReadableDb, currency: string): string {
  const changes = select.value<number>(cache, 'SELECT sum(changes) FROM txn_class') ?? 0;
  const file = statSync(cache.name, { throwIfNoEntry: false });
  return `${file?.ino ?? 0} ${file?.birthtimeMs ?? 0} ${changes} ${currency}`;
}

/** Returns the transactions version from which the payments were last updated. Null requires an update. */
export function findPaymentsVersion(books: ReadableDb): string | null {
  return select.value<string>(books, 'SELECT payments FROM match_input');
}

/** Makes the next matching run read all payments and match them again, even if nothing has changed. */
export function forgetMatchInput(books: WritableDb): void {
  prepareSql(books, 'UPDATE match_input SET changes = changes + 1, payments = NULL').run();
}

export function savePaymentsVersion(books: WritableDb, version: string): void {
  prepareSql(books, 'UPDATE match_input SET payments = ?').run(version);
}
