import type { RequestEvent } from '../../billing/index.ts';
import type { Progress } from '../../contract/index.ts';
import { isoMoment } from '../store/moment.ts';

type Waits = NonNullable<Progress['waits']>;

/** Requests that fail one after the other before it is said: a single one is soon made up for. */
const IN_A_ROW = 3;

/** Why nothing comes just now, by how the latest requests ended. */
export interface Waiting {
  /** Gives what is to be shown behind this request; null where nothing is waited for. */
  after(event: RequestEvent): Waits | null;
}

export function createWaiting(): Waiting {
  let failures = 0;
  return {
    after({ status, error, paused_until }) {
      const isAnswer = status !== undefined && status < 500 && status !== 429 && error !== 'network';
      failures = isAnswer ? 0 : failures + 1;
      if (paused_until !== undefined) return { why: 'limited', until: isoMoment(paused_until) };
      if (failures < IN_A_ROW) return null;
      return { why: status === undefined ? 'away' : 'failing', until: null };
    },
  };
}
