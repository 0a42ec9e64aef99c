import { prepared, type ReadableDb } from './database.ts';

/** Another number whenever another connection, of this process or not, has written since it was last asked. */
export function versionByOthers(db: ReadableDb): number {
  return prepared<number>(db, 'PRAGMA data_version').pluck().get() ?? 0;
}

/** Another text after any change, by this connection or by others. */
export function stampOf(db: ReadableDb): string {
  return `${versionByOthers(db)} ${prepared<number>(db, 'SELECT total_changes()').pluck().get()}`;
}
