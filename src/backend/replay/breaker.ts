/**
 * Stops a replay when the endpoint does: at 5 failures in a row, or half of the last 20. Then one webhook at a time tries
 * whether it is back, after 1, 5 and 15 minutes; when the third fails too, the replay stops and says so.
 */
export interface Breaker {
  readonly state: 'closed' | 'open';
  /** The last outcomes, newest last: true is accepted. */
  readonly recent: readonly boolean[];
  /** Probes that failed since it opened. */
  readonly probes: number;
}

const WATCHED = 20;
const IN_A_ROW = 5;
/** Outcomes before a share of them says anything. */
const TELLING = 10;
const PROBE_AFTER_MS = [60_000, 300_000, 900_000] as const;
export const MOST_PROBES = PROBE_AFTER_MS.length;

export const closedBreaker: Breaker = { state: 'closed', recent: [], probes: 0 };

/** The breaker after one more outcome. While it is open, an outcome is that of a probe. */
export function hear(breaker: Breaker, accepted: boolean): Breaker {
  if (breaker.state === 'open') {
    return accepted ? closedBreaker : { ...breaker, probes: breaker.probes + 1 };
  }
  const recent = [...breaker.recent, accepted].slice(-WATCHED);
  const failures = recent.filter((each) => !each).length;
  const row = recent.length >= IN_A_ROW && recent.slice(-IN_A_ROW).every((each) => !each);
  const half = recent.length >= TELLING && failures * 2 >= recent.length;
  return { state: row || half ? 'open' : 'closed', recent, probes: 0 };
}

/** How long an open breaker waits before its next probe; null: it has tried often enough. */
export function probeDelay({ probes }: Breaker): number | null {
  return PROBE_AFTER_MS[probes] ?? null;
}
