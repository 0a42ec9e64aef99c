import type { PeriodEntry, PeriodState } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

export interface StoredPeriod {
  id: number;
  period: string;
  first_on: string;
  last_on: string;
  state: PeriodState;
  version: number;
  /** The job that is closing it. */
  closing_job: string | null;
  /** Sequence numbers of the entries that are its signatures. */
  opened: number;
  submitted: number | null;
  reviewed: number | null;
  closed: number | null;
}

/** Returns the periods, newest month first. */
export function storedPeriods(db: ReadableDb): StoredPeriod[] {
  return prepared<StoredPeriod>(db, 'SELECT * FROM period ORDER BY period DESC').all();
}

/** Returns a month ("YYYY-MM"), or null if it was never opened. */
export function periodNamed(db: ReadableDb, period: string): StoredPeriod | null {
  return prepared<StoredPeriod>(db, 'SELECT * FROM period WHERE period = ?').get(period) ?? null;
}

/** Adds a month with its first entry. Must be called inside `commit`. */
export function addPeriod(
  db: WritableDb,
  days: { period: string; first: string; last: string },
  opened: NewPeriodEntry,
): StoredPeriod {
  const id = Number(
    prepared(
      db,
      "INSERT INTO period (period, first_on, last_on, state, opened) VALUES (?, ?, ?, 'open', 1)",
    ).run(days.period, days.first, days.last).lastInsertRowid,
  );
  addPeriodEntry(db, id, opened);
  return periodNamed(db, days.period)!;
}

/** Saves a period's state. Must be called inside `commit`, together with its entry. */
export function savePeriod(
  db: WritableDb,
  { id, state, version, closing_job, submitted, reviewed, closed }: Omit<StoredPeriod, 'opened'>,
): void {
  prepared(
    db,
    'UPDATE period SET state = ?, version = ?, closing_job = ?, submitted = ?, reviewed = ?, closed = ? WHERE id = ?',
  ).run(state, version, closing_job, submitted, reviewed, closed, id);
}

export interface StoredPeriodEntry {
  seq: number;
  /** UTC milliseconds. */
  at: number;
  name: string;
  user: string;
  action: PeriodEntry['action'];
  text: string | null;
  figures: string | null;
  is_self_review: number;
  version: number | null;
}

export type NewPeriodEntry = Omit<StoredPeriodEntry, 'seq'>;

/** Adds an entry to a period's history. Returns its sequence number. */
export function addPeriodEntry(db: WritableDb, period: number, entry: NewPeriodEntry): number {
  const { at, name, user, action, text, figures, is_self_review, version } = entry;
  const seq =
    prepared<number>(db, 'SELECT ifnull(max(seq), 0) + 1 FROM period_entry WHERE period_id = ?')
      .pluck()
      .get(period) ?? 1;
  prepared(
    db,
    `INSERT INTO period_entry (period_id, seq, at, name, user, action, text, figures, is_self_review, version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(period, seq, at, name, user, action, text, figures, is_self_review, version);
  return seq;
}

/** Returns the entries, oldest first. */
export function periodEntries(db: ReadableDb, period: number): StoredPeriodEntry[] {
  return prepared<StoredPeriodEntry>(
    db,
    `SELECT seq, at, name, user, action, text, figures, is_self_review, version FROM period_entry
     WHERE period_id = ? ORDER BY seq`,
  ).all(period);
}

/** Returns the periods that a job is closing. */
export function findClosingPeriods(db: ReadableDb): StoredPeriod[] {
  return prepared<StoredPeriod>(db, 'SELECT * FROM period WHERE closing_job IS NOT NULL').all();
}
