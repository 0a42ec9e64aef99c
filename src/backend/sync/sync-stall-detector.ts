import type { RequestEvent } from '../../billing/index.ts';
import type { JobProgress } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';

/** Number of failed requests in a row after which the delay is shown. A single failure usually passes quickly. */
const MIN_CONSECUTIVE_FAILURES = 3;

/** Detects from the latest requests that a sync has stalled, and the reason. */
export class SyncStallDetector {
  #failures = 0;

  /** Records a request. Returns the reason for the sync's current delay, or null if there is no delay. */
  recordRequest({ status, error, paused_until }: RequestEvent): JobProgress['waits'] | null {
    const isAnswer = status !== undefined && status < 500 && status !== 429 && error !== 'network';
    this.#failures = isAnswer ? 0 : this.#failures + 1;
    if (paused_until !== undefined) return { reason: 'limited', until: formatTimestamp(paused_until) };
    if (this.#failures < MIN_CONSECUTIVE_FAILURES) return null;
    return { reason: status === undefined ? 'away' : 'failing', until: null };
  }
}
