import type { ReplayPlan } from '../../contract/index.ts';
import {
  advanceReplayRamp,
  countSendableWebhooks,
  createReplayRamp,
  type ReplayMode,
  updateReplayRamp,
} from './replay-ramp.ts';

/** Number of rows per page of the webhook log. */
const ROWS_PER_PAGE = 200;
export const getDefaultReplayBatchSize = (mode: ReplayMode): number => (mode === 'fast' ? 1000 : 100);
/** Assumed milliseconds from a post to its outcome, until a replay of the site has measured them. */
const DEFAULT_OUTCOME_MS = 3000;
/** Assumed duration of a request in milliseconds. */
const REQUEST_MS = 300;

/** Forecasts requests and duration of a replay in each mode, if all webhooks are accepted in the usual time (ms). */
export function forecastReplay(count: number, usual: number | null): NonNullable<ReplayPlan['expected']> {
  const inMode = (mode: ReplayMode) => forecastMode(mode, count, usual ?? DEFAULT_OUTCOME_MS);
  return { safe: inMode('safe'), adaptive: inMode('adaptive'), fast: inMode('fast') };
}

/** Simulates a replay in rounds. Each round posts what the ramp allows and waits until all webhooks are accepted. */
function forecastMode(mode: ReplayMode, count: number, usual: number): { requests: number; ms: number } {
  let ramp = createReplayRamp(mode);
  let requests = 0;
  let ms = 0;
  for (let left = count; left > 0; ) {
    const sent = Math.min(left, countSendableWebhooks(ramp, 0));
    const made = Math.ceil(sent / getDefaultReplayBatchSize(mode)) + Math.ceil(sent / ROWS_PER_PAGE);
    requests += made;
    ms += usual + made * REQUEST_MS;
    left -= sent;
    for (let n = 0; n < sent; n++) ramp = updateReplayRamp(ramp, true);
    ramp = advanceReplayRamp(ramp, sent, sent);
  }
  return { requests, ms: Math.round(ms) };
}
