import type { PeriodHistoryEntry, PeriodState } from '../../../contract/index.ts';
import { type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

export interface StoredPeriod {
  id: number;
  period: string;
  first_on: string;
  last_on: string;
  state: PeriodState;
  version: number;
  /** Id of the job that is closing the period. */
  closing_job: string | null;
  /** Sequence number of the history entry that opened the period. The next fields refer to later entries. */
  opened: number;
  submitted: number | null;
  reviewed: number | null;
  closed: number | null;
}

/** Returns the stored periods, newest month first. */
export function listStoredPeriods(db: ReadableDb): StoredPeriod[] {
  return select.rows<StoredPeriod>(db, 'SELECT * FROM period ORDER BY period DESC');
}

/** Returns the period of a month ("YYYY-MM"), or null if it was never opened. */
export function findPeriod(db: ReadableDb, period: string): StoredPeriod | null {
  return select.row<StoredPeriod>(db, 'SELECT * FROM period WHERE period = ?', period);
}

/** Adds a period and returns its id. The first history entry must be added in the same transaction. */
export function addPeriod(
  db: WritableDb,
  { period, first, last }: { period: string; first: string; last: string },
): number {
  return insertRow(db, 'period', { period, first_on: first, last_on: last, state: 'open', opened: 1 });
}

/** Saves a period's state. The history entry must be added in the same transaction. */
export function savePeriod(
  db: WritableDb,
  { id, state, version, closing_job, submitted, reviewed, closed }: Omit<StoredPeriod, 'opened'>,
): void {
  updateRow(db, 'period', { state, version, closing_job, submitted, reviewed, closed }, { id });
}

export interface StoredPeriodEntry {
  seq: number;
  /** Time of the entry in UTC milliseconds. */
  at: number;
  name: string;
  user: string;
  action: PeriodHistoryEntry['action'];
  text: string | null;
  figures: string | null;
  is_self_review: number;
  version: number | null;
  /** Public key (hex) of the entry's signature. Null if the entry is not signed. */
  key: string | null;
  /** Certification statements with their confirmations, as canonical JSON; null if the entry certifies nothing. */
  statements: string | null;
  /** Figure and comment that the entry is about, as canonical JSON; null for other entries. */
  about: string | null;
  /** Receipt of the audit log up to this entry: root of its Merkle tree in hex. */
  receipt: string;
}

export type NewPeriodEntry = Omit<StoredPeriodEntry, 'seq' | 'receipt'>;

/** Adds an entry to a period's history and returns its sequence number. Requires an audit log entry as well. */
export function addPeriodEntry(
  db: WritableDb,
  period_id: number,
  entry: NewPeriodEntry,
  receipt: string,
): number {
  const { at, name, user, action, text, figures, is_self_review, version, key, statements, about } = entry;
  const sql = 'SELECT ifnull(max(seq), 0) + 1 FROM period_entry WHERE period_id = ?';
  const seq = select.value<number>(db, sql, period_id) ?? 1;
  const row = {
    period_id,
    seq,
    at,
    name,
    user,
    action,
    text,
    figures,
    is_self_review,
    version,
    key,
    statements,
    about,
    receipt,
  };
  insertRow(db, 'period_entry', row);
  return seq;
}

/** Returns the history entries of a period, oldest first. */
export function listPeriodEntries(db: ReadableDb, period: number): StoredPeriodEntry[] {
  const sql = `SELECT seq, at, name, user, action, text, figures, is_self_review, version, key, statements,
       about, receipt FROM period_entry
     WHERE period_id = ? ORDER BY seq`;
  return select.rows<StoredPeriodEntry>(db, sql, period);
}

/** Returns the periods that a job is currently closing. */
export function listPeriodsBeingClosed(db: ReadableDb): StoredPeriod[] {
  return select.rows<StoredPeriod>(db, 'SELECT * FROM period WHERE closing_job IS NOT NULL');
}
