/** Delays in milliseconds between a post, the polls of the service's log for its outcomes, and giving up. */
const MIN_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** Returns the delay from a post to the first poll. `usual` is the usual time from post to outcome, if known. */
export function getFirstPollDelay(usual: number | null): number {
  return Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, usual ?? 0));
}

/** Returns the delay after a poll: half the previous delay if the poll found an outcome, twice the delay if not. */
export function getNextPollDelay(delay: number, foundOutcome: boolean): number {
  return foundOutcome ? Math.max(MIN_DELAY_MS, delay / 2) : Math.min(MAX_DELAY_MS, delay * 2);
}

/** Milliseconds without a change in the log after which a webhook is posted again if its post may have been lost. */
export function getResendDelay(usual: number | null): number {
  return Math.max(120_000, 4 * (usual ?? 0));
}

/** Milliseconds after which a queued webhook without an outcome is recorded as unresolved. */
export function getUnresolvedDelay(usual: number | null): number {
  return Math.max(900_000, 4 * (usual ?? 0));
}
