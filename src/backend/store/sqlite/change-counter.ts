import { prepared, type ReadableDb } from './connection.ts';

/** Returns a number that changes whenever another connection, of this process or not, has written. */
export function versionByOthers(db: ReadableDb): number {
  return prepared<number>(db, 'PRAGMA data_version').pluck().get() ?? 0;
}

/** Returns a text that changes after any change by this or another connection. */
export function stampOf(db: ReadableDb): string {
  return `${versionByOthers(db)} ${prepared<number>(db, 'SELECT total_changes()').pluck().get()}`;
}
