import { prepareSql, type ReadableDb, select } from './connection.ts';

/** Returns SQLite's data version, which changes whenever any other connection writes to the database. */
export function getDataVersion(db: ReadableDb): number {
  return select.value<number>(db, 'PRAGMA data_version') ?? 0;
}

/** Returns a text that changes whenever this or another connection writes to the database. */
export function getChangeStamp(db: ReadableDb): string {
  return `${getDataVersion(db)} ${prepareSql<number>(db, 'SELECT total_changes()').pluck().get()}`;
}
