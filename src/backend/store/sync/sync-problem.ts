// Imported without the billing index, which would also load the HTTP client.
import { NO_TIME_ZONE_REASON, type ResponseReadProblem } from '../../../billing/records/record-types.ts';
import type { SyncPart } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Problem reason for the earlier version of a webhook if the service later sent other content with the same id. */
export const REPLACED_WEBHOOK_REASON =
  'the service sent different content under the same id; this earlier version is not in the list';

/** Returns true if any record of a part is incomplete or unreadable. Ignores remarks on readable records. */
export function hasUnreadRecords(db: ReadableDb, part: SyncPart): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM problem WHERE part = ? AND reason NOT IN (?, ?))';
  return select.value<number>(db, sql, part, REPLACED_WEBHOOK_REASON, NO_TIME_ZONE_REASON) === 1;
}

/** Maximum size of stored unreadable content, in UTF-8 bytes. */
const MAX_RAW_BYTES = 64 * 1024;

export interface NewSyncProblem extends Pick<ResponseReadProblem, 'reason'> {
  location: string;
  part: SyncPart;
  raw: string | null;
  /** Time at which the problem was found, in UTC milliseconds. */
  seen_at: number;
  job: string | null;
}

/** Saves a sync problem, replacing an earlier problem at the same location. */
export function saveSyncProblem(db: WritableDb, problem: NewSyncProblem): void {
  const { part, location, reason, raw, seen_at, job } = problem;
  const row = { part, location, reason, raw: truncateRaw(raw), seen_at, job };
  insertRow(db, 'problem', row, onConflictSql('part, location', 'reason', 'raw', 'seen_at', 'job'));
}

/** Deletes the sync problem of a location after a successful read. Returns true if there was one. */
export function removeSyncProblem(db: WritableDb, part: SyncPart, location: string): boolean {
  return (
    prepareSql(db, 'DELETE FROM problem WHERE part = ? AND location = ?').run(part, location).changes > 0
  );
}

/** Deletes the sync problems of a part that have this reason. */
export function removeSyncProblemsWithReason(db: WritableDb, part: SyncPart, reason: string): void {
  prepareSql(db, 'DELETE FROM problem WHERE part = ? AND reason = ?').run(part, reason);
}

function truncateRaw(raw: string | null): string | null {
  if (raw === null || Buffer.byteLength(raw) <= MAX_RAW_BYTES) return raw;
  return new TextDecoder().decode(Buffer.from(raw).subarray(0, MAX_RAW_BYTES), { stream: true });
}

export function listSyncProblemLocations(db: ReadableDb, part: SyncPart): string[] {
  return select.values<string>(db, 'SELECT location FROM problem WHERE part = ? ORDER BY id', part);
}
