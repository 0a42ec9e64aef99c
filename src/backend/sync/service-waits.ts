import type { RequestEvent } from '../../billing/index.ts';
import type { Progress } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';

type Waits = NonNullable<Progress['waits']>;

/**
 * Number of consecutive failed requests after which the delay is shown. A single failure is usually recovered quickly.
 */
const IN_A_ROW = 3;

/** Derives from the latest requests why a sync makes no progress. */
export interface Waiting {
  /** Returns the delay to show after this request, or null if there is none. */
  after(event: RequestEvent): Waits | null;
}

export function createWaiting(): Waiting {
  let failures = 0;
  return {
    after({ status, error, paused_until }) {
      const isAnswer = status !== undefined && status < 500 && status !== 429 && error !== 'network';
      failures = isAnswer ? 0 : failures + 1;
      if (paused_until !== undefined) return { reason: 'limited', until: formatTimestamp(paused_until) };
      if (failures < IN_A_ROW) return null;
      return { reason: status === undefined ? 'away' : 'failing', until: null };
    },
  };
}
