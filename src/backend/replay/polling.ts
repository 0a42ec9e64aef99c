/** Schedule for polling the log for outcomes: soon at first, then with increasing delays while nothing is seen. */
export interface PollingSchedule {
  readonly delay: number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Returns the schedule right after a post. `usual` is the milliseconds that webhooks have taken so far, if known. */
export function startPolling(usual: number | null): PollingSchedule {
  return { delay: usual === null ? FIRST_MS : Math.min(LONGEST_MS, Math.max(FIRST_MS, usual)) };
}

/** Returns the schedule after a poll: unchanged if it saw an outcome, else with a doubled delay. */
export function afterPoll(polling: PollingSchedule, sawSome: boolean): PollingSchedule {
  return { delay: sawSome ? Math.max(FIRST_MS, polling.delay / 2) : Math.min(LONGEST_MS, polling.delay * 2) };
}

/**
 * Returns the milliseconds after which an unchanged webhook whose post is uncertain is posted again: two minutes, or four
 * times the usual.
 */
export function resendDelay(usual: number | null): number {
  return Math.max(120_000, 4 * (usual ?? 0));
}

/**
 * Returns the milliseconds after which an unchanged queued webhook becomes unresolved: 15 minutes, or four times the
 * usual.
 */
export function unresolvedDelay(usual: number | null): number {
  return Math.max(900_000, 4 * (usual ?? 0));
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
