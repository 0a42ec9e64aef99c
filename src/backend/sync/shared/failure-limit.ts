/**
 * Ends a sync after too many failures in a row, which indicate that the service fails on everything, not only on single
 * records.
 */
export interface FailureLimit {
  /** Resets the number of failures in a row. */
  recordSuccess(): void;
  /** Counts a failure. Throws the given error if the limit of failures in a row is reached. */
  recordFailure(error: Error): void;
  /** Returns true if the limit of failures in a row is reached. */
  isReached(): boolean;
}

/** Number of consecutive failures after which the service is considered unavailable. Chosen by judgment. */
const MAX_CONSECUTIVE_FAILURES = 12;

export function createFailureLimit(): FailureLimit {
  let consecutiveFailures = 0;
  return {
    recordSuccess() {
      consecutiveFailures = 0;
    },
    recordFailure(error) {
      if (++consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw error;
    },
    isReached: () => consecutiveFailures >= MAX_CONSECUTIVE_FAILURES,
  };
}
