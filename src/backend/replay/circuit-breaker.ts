/**
 * Circuit breaker of a replay. It opens after 5 failures in a row or when at least half of the last 20 outcomes failed.
 * It then allows single probes after 1, 5 and 15 minutes. If the third probe fails, the replay stops.
 */
export interface CircuitBreaker {
  readonly state: 'closed' | 'open';
  /** Latest outcomes, newest last. True means accepted. */
  readonly recent: readonly boolean[];
  /** Number of failed probes since the breaker opened. */
  readonly probes: number;
}

const MAX_RECENT_OUTCOMES = 20;
const MAX_CONSECUTIVE_FAILURES = 5;
/** Minimum number of outcomes before the failure rate can open the breaker. Chosen by judgment. */
const MIN_OUTCOMES_FOR_RATE = 10;
const PROBE_DELAYS_MS = [60_000, 300_000, 900_000] as const;
export const MAX_BREAKER_PROBES = PROBE_DELAYS_MS.length;

export const INITIAL_CIRCUIT_BREAKER: CircuitBreaker = { state: 'closed', recent: [], probes: 0 };

/** Returns the breaker's state after another outcome. If the breaker is open, the outcome belongs to a probe. */
export function updateCircuitBreaker(breaker: CircuitBreaker, accepted: boolean): CircuitBreaker {
  if (breaker.state === 'open') {
    return accepted ? INITIAL_CIRCUIT_BREAKER : { ...breaker, probes: breaker.probes + 1 };
  }
  const recent = [...breaker.recent, accepted].slice(-MAX_RECENT_OUTCOMES);
  const failures = recent.filter((each) => !each).length;
  const isConsecutive =
    recent.length >= MAX_CONSECUTIVE_FAILURES &&
    recent.slice(-MAX_CONSECUTIVE_FAILURES).every((each) => !each);
  const isHalf = recent.length >= MIN_OUTCOMES_FOR_RATE && failures * 2 >= recent.length;
  return { state: isConsecutive || isHalf ? 'open' : 'closed', recent, probes: 0 };
}

/** Returns the delay in milliseconds until an open breaker's next probe, or null if no probe is left. */
export function getNextProbeDelay({ probes }: CircuitBreaker): number | null {
  return PROBE_DELAYS_MS[probes] ?? null;
}
