import type { ReplayPlan } from '../../contract/index.ts';
import { afterOutcome, afterStep, type Mode, room, startRamp } from './ramp.ts';

/** Rows of a page of the log, and ids of a post where none are told: 100, in fast mode 1000. */
const ROWS_PER_PAGE = 200;
export const batchSize = (mode: Mode): number => (mode === 'fast' ? 1000 : 100);
/** How long a webhook takes from its post until the log shows it accepted, where no replay of the site has told. */
const USUAL_MS = 3000;
/** What a request takes besides. */
const REQUEST_MS = 300;

/** Requests and time of a replay of so many webhooks in each mode, where all are accepted. `usual`: ms from post to outcome. */
export function forecast(count: number, usual: number | null): NonNullable<ReplayPlan['expected']> {
  const inMode = (mode: Mode) => forecastIn(mode, count, usual ?? USUAL_MS);
  return { safe: inMode('safe'), adaptive: inMode('adaptive'), fast: inMode('fast') };
}

/** Goes through the rounds of a ramp: each posts as many as there is room for, and waits for all of them. */
function forecastIn(mode: Mode, count: number, usual: number): { requests: number; ms: number } {
  let ramp = startRamp(mode);
  let requests = 0;
  let ms = 0;
  for (let left = count; left > 0; ) {
    const sent = Math.min(left, room(ramp, 0));
    const made = Math.ceil(sent / batchSize(mode)) + Math.ceil(sent / ROWS_PER_PAGE);
    requests += made;
    ms += usual + made * REQUEST_MS;
    left -= sent;
    for (let n = 0; n < sent; n++) ramp = afterOutcome(ramp, true);
    ramp = afterStep(ramp, sent, sent);
  }
  return { requests, ms: Math.round(ms) };
}
