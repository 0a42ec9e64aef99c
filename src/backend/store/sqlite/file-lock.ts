import { existsSync } from 'node:fs';
import { connect, SqliteError } from './connection.ts';

/** Milliseconds to wait for a process that only tested the lock. */
const WAIT_MS = 250;

/** A lock held until it is released or the process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/** Acquires an operating system lock through SQLite, which ends with the process. Null if it is taken. */
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

/** Returns true if anybody, including this process, holds the lock. Creates nothing and blocks nobody. */
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
