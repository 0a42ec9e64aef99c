import { openSqlite, type ReadableDb } from './connection.ts';

/** Returns the damage that SQLite reports for a database, or null if it is intact. `thorough` also checks the indexes. */
export function findDatabaseDamage(db: ReadableDb, thorough: boolean): string | null {
  const found = String(db.pragma(thorough ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }));
  return found === 'ok' ? null : found;
}

export function getSqliteVersion(): string {
  const db = openSqlite(':memory:');
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}
