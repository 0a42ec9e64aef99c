import { existsSync } from 'node:fs';
import { connect, SqliteError } from './database.ts';

/** Long enough for whoever only looked whether it is held. */
const WAIT_MS = 250;

/** A lock held until it is released, or until this process is gone, however it went. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the lock that a file stands for; null where another process, or another holder in this one, has it. It is the
 * operating system's own lock, taken through SQLite, so that a killed process leaves none behind.
 */
export function lockFile(path: string): FileLock | null {
  const db = connect(path, { timeout: WAIT_MS });
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

/** Whether anybody holds the lock, this process included. Only looks: nothing is made, and nobody is kept from taking it. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = connect(path, { readonly: true, timeout: 0 });
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
