import { connect, type ReadableDb } from './database.ts';

/** What SQLite says of a file: null where it is sound, else what is wrong, in its words. `thorough` reads indexes too. */
export function damageOf(db: ReadableDb, thorough: boolean): string | null {
  const found = String(db.pragma(thorough ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }));
  return found === 'ok' ? null : found;
}

/** The version of SQLite that came with the app. */
export function sqliteVersion(): string {
  const db = connect(':memory:');
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}
