import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Returns the locations of a part's problems. */
export function problemPlaces(db: ReadableDb, part: SyncPart): string[] {
  return prepared<string>(db, 'SELECT location FROM problem WHERE part = ? ORDER BY id').pluck().all(part);
}
