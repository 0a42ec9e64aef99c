/**
 * Circuit breaker of a replay. It opens at 5 failures in a row or when half of the last 20 outcomes failed. It then sends
 * single probes after 1, 5 and 15 minutes. If the third probe fails, the replay stops with that reason.
 */
export interface CircuitBreaker {
  readonly state: 'closed' | 'open';
  /** The latest outcomes, newest last. True means accepted. */
  readonly recent: readonly boolean[];
  /** Number of failed probes since the breaker opened. */
  readonly probes: number;
}

const WATCHED = 20;
const IN_A_ROW = 5;
/** Minimum number of outcomes before the failure rate counts. Chosen by judgment. */
const TELLING = 10;
const PROBE_AFTER_MS = [60_000, 300_000, 900_000] as const;
export const MAX_PROBES = PROBE_AFTER_MS.length;

export const initialBreaker: CircuitBreaker = { state: 'closed', recent: [], probes: 0 };

/** Returns the breaker after another outcome. While it is open, the outcome is that of a probe. */
export function recordOutcome(breaker: CircuitBreaker, accepted: boolean): CircuitBreaker {
  if (breaker.state === 'open') {
    return accepted ? initialBreaker : { ...breaker, probes: breaker.probes + 1 };
  }
  const recent = [...breaker.recent, accepted].slice(-WATCHED);
  const failures = recent.filter((each) => !each).length;
  const row = recent.length >= IN_A_ROW && recent.slice(-IN_A_ROW).every((each) => !each);
  const half = recent.length >= TELLING && failures * 2 >= recent.length;
  return { state: row || half ? 'open' : 'closed', recent, probes: 0 };
}

/** Returns the milliseconds until an open breaker's next probe, or null if no probe is left. */
export function probeDelay({ probes }: CircuitBreaker): number | null {
  return PROBE_AFTER_MS[probes] ?? null;
}
