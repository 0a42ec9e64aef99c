import { prepare, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';

/** State of a site's checks, and learned behavior. Instants are UTC milliseconds. */
export interface CheckState {
  /** Local clock: last check of anything. */
  checked_at: number | null;
  /** Local clock: last complete check. */
  full_at: number | null;
  /** The site's usual behavior and since when (UTC milliseconds), learned by the last complete check. */
  habits_since: readonly (readonly [habit: string, since: number])[];
  /** The rules of the last complete check: their versions, and which were off. */
  rules: string | null;
  /** True if everything was stored at that time. Behavior learned from a part may be wrong. */
  whole: boolean;
  /** Instant from which the stored webhook log is complete (service clock). Null if it is not. */
  log_from: number | null;
  /** Readings of how far the service's clock was ahead of the local one, oldest first. */
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

/** Returns the state of the checks, or the initial state. */
export function readCheckState(db: ReadableDb): CheckState {
  const sql = 'SELECT checked_at, full_at, state FROM check_state';
  const row = prepare<{ checked_at: number | null; full_at: number | null; state: string }>(db, sql).get();
  if (row === undefined) return { checked_at: null, full_at: null, ...initialState };
  const { checked_at, full_at, state } = row;
  return { checked_at, full_at, ...initialState, ...(JSON.parse(state) as typeof initialState) };
}

/** Replaces the state. Must be called in the transaction that stores the findings. */
export function saveCheckState(db: WritableDb, { checked_at, full_at, ...state }: CheckState): void {
  const row = { one: 1, checked_at, full_at, state: JSON.stringify(state) };
  insertRow(db, 'check_state', row, updateOnConflict('one', 'checked_at', 'full_at', 'state'));
}
