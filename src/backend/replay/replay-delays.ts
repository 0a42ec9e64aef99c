/** Delays of a replay in milliseconds: before polls for outcomes, before webhooks are resent, and before giving up. */
const MIN_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** Returns the delay from a post to the first poll. `usual` is the usual time from post to outcome, if known. */
export function getFirstOutcomePollDelay(usual: number | null): number {
  return Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, usual ?? 0));
}

/** Returns the delay after a poll: half the previous delay if the poll found an outcome, twice the delay if not. */
export function getNextOutcomePollDelay(delay: number, foundOutcome: boolean): number {
  return foundOutcome ? Math.max(MIN_DELAY_MS, delay / 2) : Math.min(MAX_DELAY_MS, delay * 2);
}

/** Returns the delay after which a webhook with a possibly lost post is sent again if the log shows no change. */
export function getWebhookResendDelay(usual: number | null): number {
  return Math.max(120_000, 4 * (usual ?? 0));
}

/** Returns the time after which a queued webhook without an outcome is recorded as unresolved. */
export function getOutcomeTimeout(usual: number | null): number {
  return Math.max(900_000, 4 * (usual ?? 0));
}
