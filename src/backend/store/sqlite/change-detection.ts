import { prepareSql, type ReadableDb, select } from './connection.ts';

/** Returns SQLite's data version, which changes with every write of another connection to the database. */
export function getDataVersion(db: ReadableDb): number {
  return select.value<number>(db, 'PRAGMA data_version') ?? 0;
}

/** Returns a text that changes with every write of this or another connection to the database. */
export function getChangeStamp(db: ReadableDb): string {
  return `${getDataVersion(db)} ${prepareSql<number>(db, 'SELECT total_changes()').pluck().get()}`;
}
