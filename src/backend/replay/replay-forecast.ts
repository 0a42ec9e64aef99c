import type { ReplayPlan } from '../../contract/index.ts';
import {
  countSendable,
  createReplayRamp,
  type ReplayMode,
  rampAfterOutcome,
  rampAfterStep,
} from './replay-ramp.ts';

/** Number of rows per page of the webhook log. */
const ROWS_PER_PAGE = 200;
export const defaultReplayBatchSize = (mode: ReplayMode): number => (mode === 'fast' ? 1000 : 100);
/** Milliseconds from a post to its outcome, assumed until a replay of the site has measured them. */
const DEFAULT_OUTCOME_MS = 3000;
/** Assumed duration of a request in milliseconds. */
const REQUEST_MS = 300;

/**
 * Returns the number of requests and the duration of a replay in each mode, assuming that all webhooks are accepted.
 * `usual` is the usual time from post to outcome in milliseconds, if known.
 */
export function forecastReplay(count: number, usual: number | null): NonNullable<ReplayPlan['expected']> {
  const inMode = (mode: ReplayMode) => forecastMode(mode, count, usual ?? DEFAULT_OUTCOME_MS);
  return { safe: inMode('safe'), adaptive: inMode('adaptive'), fast: inMode('fast') };
}

/**
 * Simulates a replay in rounds. Each round posts as many webhooks as the ramp allows and waits until all are accepted.
 */
function forecastMode(mode: ReplayMode, count: number, usual: number): { requests: number; ms: number } {
  let ramp = createReplayRamp(mode);
  let requests = 0;
  let ms = 0;
  for (let left = count; left > 0; ) {
    const sent = Math.min(left, countSendable(ramp, 0));
    const made = Math.ceil(sent / defaultReplayBatchSize(mode)) + Math.ceil(sent / ROWS_PER_PAGE);
    requests += made;
    ms += usual + made * REQUEST_MS;
    left -= sent;
    for (let n = 0; n < sent; n++) ramp = rampAfterOutcome(ramp, true);
    ramp = rampAfterStep(ramp, sent, sent);
  }
  return { requests, ms: Math.round(ms) };
}
