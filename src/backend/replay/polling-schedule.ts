/**
 * Schedule for polling the service's log for outcomes. Polls start soon after a post, and the delay grows while no
 * outcome appears.
 */
export interface PollingSchedule {
  readonly delay: number;
}

const MIN_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** Returns the schedule after a post. `usual` is the usual time from post to outcome in milliseconds, if known. */
export function createPollingSchedule(usual: number | null): PollingSchedule {
  return { delay: usual === null ? MIN_DELAY_MS : Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, usual)) };
}

/** Returns the schedule after a poll. The delay is halved if the poll found an outcome, and doubled if it did not. */
export function pollingScheduleAfterPoll(polling: PollingSchedule, sawSome: boolean): PollingSchedule {
  return {
    delay: sawSome ? Math.max(MIN_DELAY_MS, polling.delay / 2) : Math.min(MAX_DELAY_MS, polling.delay * 2),
  };
}

/**
 * Returns the milliseconds after which a webhook is posted again if it is uncertain whether the service received it and
 * the log shows no change: two minutes, or four times the usual time.
 */
export function replayResendDelay(usual: number | null): number {
  return Math.max(120_000, 4 * (usual ?? 0));
}

/**
 * Returns the milliseconds after which a queued webhook without an outcome is recorded as unresolved: 15 minutes, or four
 * times the usual time.
 */
export function replayUnresolvedDelay(usual: number | null): number {
  return Math.max(900_000, 4 * (usual ?? 0));
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
