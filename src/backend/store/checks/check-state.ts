import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** Where the checks of a site stand, and what they learned. Instants in ms UTC. */
export interface CheckState {
  /** Our clock, when anything was last checked. */
  checked_at: number | null;
  /** Our clock, when everything was last checked to its end. */
  full_at: number | null;
  /** What the site does as a rule, and since when (ms UTC), learned with the last full check. */
  habits_since: readonly (readonly [habit: string, since: number])[];
  /** The rules as the last full check applied them: their versions, and which were off. */
  rules: string | null;
  /** Whether all there was to hold was held then: habits seen in a part may be none. */
  whole: boolean;
  /** From when on the webhook log is held whole, by the service’s clock; null before that was so. */
  log_from: number | null;
  /** From which moment of ours on the service’s clock was how far ahead, oldest first. */
  clock: readonly ClockReading[];
}

export interface ClockReading {
  at: number;
  ahead: number;
}

const beginning: Omit<CheckState, 'checked_at' | 'full_at'> = {
  habits_since: [],
  rules: null,
  whole: false,
  log_from: null,
  clock: [],
};

/** What was checked when; a beginning where nothing was. */
export function checkState(db: ReadableDb): CheckState {
  const row = prepared<{ checked_at: number | null; full_at: number | null; state: string }>(
    db,
    'SELECT checked_at, full_at, state FROM check_state',
  ).get();
  if (row === undefined) return { checked_at: null, full_at: null, ...beginning };
  const { checked_at, full_at, state } = row;
  return { checked_at, full_at, ...beginning, ...(JSON.parse(state) as typeof beginning) };
}

/** Takes the place of the state before. To be called in the commit of what was found. */
export function saveCheckState(db: WritableDb, { checked_at, full_at, ...state }: CheckState): void {
  prepared(
    db,
    `INSERT INTO check_state (one, checked_at, full_at, state) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET checked_at = excluded.checked_at, full_at = excluded.full_at, state = excluded.state`,
  ).run(checked_at, full_at, JSON.stringify(state));
}
