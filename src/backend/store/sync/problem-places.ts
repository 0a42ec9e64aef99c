import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../database.ts';

/** The places of a part that have a problem. */
export function problemPlaces(db: ReadableDb, part: SyncPart): string[] {
  return prepared<string>(db, 'SELECT place FROM problem WHERE part = ? ORDER BY id').pluck().all(part);
}
