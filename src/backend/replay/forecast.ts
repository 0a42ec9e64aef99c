import type { ReplayPlan } from '../../contract/index.ts';
import { type ReplayMode, rampAfterOutcome, rampAfterStep, sendableNow, startRamp } from './ramp.ts';

/** Rows per page of the log. A post has 100 ids, or 1000 in fast mode, unless given. */
const ROWS_PER_PAGE = 200;
export const defaultBatchSize = (mode: ReplayMode): number => (mode === 'fast' ? 1000 : 100);
/** Milliseconds from a post until the log shows a webhook accepted, if no earlier replay of the site measured it. */
const USUAL_MS = 3000;
/** Additional milliseconds per request. */
const REQUEST_MS = 300;

/**
 * Returns the requests and the time of a replay in each mode if everything is accepted. `usual` is milliseconds from post
 * to outcome.
 */
export function forecastReplay(count: number, usual: number | null): NonNullable<ReplayPlan['expected']> {
  const inMode = (mode: ReplayMode) => forecastIn(mode, count, usual ?? USUAL_MS);
  return { safe: inMode('safe'), adaptive: inMode('adaptive'), fast: inMode('fast') };
}

/** Simulates the rounds of a ramp. Each posts as many webhooks as allowed and waits for all of them. */
function forecastIn(mode: ReplayMode, count: number, usual: number): { requests: number; ms: number } {
  let ramp = startRamp(mode);
  let requests = 0;
  let ms = 0;
  for (let left = count; left > 0; ) {
    const sent = Math.min(left, sendableNow(ramp, 0));
    const made = Math.ceil(sent / defaultBatchSize(mode)) + Math.ceil(sent / ROWS_PER_PAGE);
    requests += made;
    ms += usual + made * REQUEST_MS;
    left -= sent;
    for (let n = 0; n < sent; n++) ramp = rampAfterOutcome(ramp, true);
    ramp = rampAfterStep(ramp, sent, sent);
  }
  return { requests, ms: Math.round(ms) };
}
