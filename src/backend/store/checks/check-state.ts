import { prepareSql, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** State of a site's checks, and the site's habits. Instants are UTC milliseconds. */
export interface CheckState {
  /** Time of the latest check of any records, by the local clock. */
  checked_at: number | null;
  /** Time of the latest complete check, by the local clock. */
  full_at: number | null;
  /** The site's habits at the latest complete check, with the time since which each applies (UTC milliseconds). */
  habits_since: readonly (readonly [habit: string, since: number])[];
  /** Description of the rules in force at the latest complete check, to detect changes. */
  rules: string | null;
  /** True if all records were stored at the latest complete check. Habits learned from partial data can be wrong. */
  whole: boolean;
  /** Time since which the stored webhook log is complete (service's clock), or null if it is incomplete. */
  log_from: number | null;
  /** Measured differences between the service's clock and the local clock, oldest first. */
  clock: readonly ClockReading[];
}

export interface ClockReading {
  at: number;
  ahead: number;
}

const initialState: Omit<CheckState, 'checked_at' | 'full_at'> = {
  habits_since: [],
  rules: null,
  whole: false,
  log_from: null,
  clock: [],
};

/** Returns the stored check state, or the initial state. */
export function readCheckState(db: ReadableDb): CheckState {
  const sql = 'SELECT checked_at, full_at, state FROM check_state';
  const row = prepareSql<{ checked_at: number | null; full_at: number | null; state: string }>(db, sql).get();
  if (row === undefined) return { checked_at: null, full_at: null, ...initialState };
  const { checked_at, full_at, state } = row;
  return { checked_at, full_at, ...initialState, ...(JSON.parse(state) as typeof initialState) };
}

/** Replaces the check state. Must be called in the transaction that stores the findings. */
export function saveCheckState(db: WritableDb, { checked_at, full_at, ...state }: CheckState): void {
  const row = { one: 1, checked_at, full_at, state: JSON.stringify(state) };
  insertRow(db, 'check_state', row, onConflictSql('one', 'checked_at', 'full_at', 'state'));
}
