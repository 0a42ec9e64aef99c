import { existsSync } from 'node:fs';
import { openSqlite, SqliteError } from './connection.ts';

/** Milliseconds to wait for a process that is only testing the lock. */
const WAIT_MS = 250;

/** A file lock that lasts until it is released or the process ends for any reason. */
export interface FileLock {
  release(): void;
}

/** Acquires an operating system file lock through SQLite. Returns null if another holder has the lock. */
export function lockFile(path: string): FileLock | null {
  const db = openSqlite(path, { timeout: WAIT_MS });
  try {
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => db.close() };
}

/** Returns true if any process, including this one, holds the file lock. Does not create the file or block others. */
export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = openSqlite(path, { readonly: true, timeout: 0 });
  try {
    db.pragma('schema_version');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

const isBusy = (error: unknown) => error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
