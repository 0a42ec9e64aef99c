import { connect, type ReadableDb } from './connection.ts';

/** Returns what SQLite reports as damage of a file, or null if it is intact. `thorough` reads the indexes as well. */
export function findDamage(db: ReadableDb, thorough: boolean): string | null {
  const found = String(db.pragma(thorough ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }));
  return found === 'ok' ? null : found;
}

/** Returns the bundled version of SQLite. */
export function sqliteVersion(): string {
  const db = connect(':memory:');
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}
