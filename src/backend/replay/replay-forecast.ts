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
/** Default number of concurrent requests to the endpoint of a local delivery. Chosen by judgment. */
export const DEFAULT_CONNECTIONS: Record<ReplayMode, number> = { safe: 4, adaptive: 12, fast: 24 };
/** Assumed milliseconds from a post to its outcome, until a replay of the site has measured this time. */
const DEFAULT_OUTCOME_MS = 3000;
/** Assumed duration of a request in milliseconds. */
const REQUEST_MS = 300;

/** Assumed milliseconds until an endpoint responds, until a local delivery to it has measured this time. */
const DEFAULT_RESPONSE_MS = 200;
/** Rate limits in webhooks per second for which a plan shows the duration. */
const SHOWN_RATES = [1, 5, 10, 25, 50, 100] as const;

interface ForecastBasis {
  /** Usual milliseconds from post to outcome, if known. */
  usual: number | null;
  isLocal: boolean;
  /** Maximum number of webhooks per subscription. A local delivery sends them one after another. */
  largestSubscription: number;
}

/** Forecasts requests, duration and load of a replay in each mode, if all webhooks are accepted in the usual time. */
export function forecastReplay(count: number, basis: ForecastBasis): NonNullable<ReplayPlan['expected']> {
  const inMode = (mode: ReplayMode) => (basis.isLocal ? forecastDelivery : forecastMode)(mode, count, basis);
  return { safe: inMode('safe'), adaptive: inMode('adaptive'), fast: inMode('fast') };
}

/** Returns the duration for several rate limits. `ms` is the duration without a limit. */
export function forecastRates(count: number, ms: number): ReplayPlan['rates'] {
  return SHOWN_RATES.map((per_second) => ({
    per_second,
    ms: Math.max(ms, Math.round((Math.max(0, count - 1) * 1000) / per_second)),
  }));
}

type Forecast = NonNullable<ReplayPlan['expected']>['safe'];

/** Simulates a replay in rounds. Each round posts what the ramp allows and waits until all webhooks are accepted. */
function forecastMode(mode: ReplayMode, count: number, { usual }: ForecastBasis): Forecast {
  const outcomeMs = usual ?? DEFAULT_OUTCOME_MS;
  let ramp = createReplayRamp(mode);
  const total: Forecast = { requests: 0, ms: 0, at_once: 0, per_second: 0 };
  for (let left = count; left > 0; ) {
    const sent = Math.min(left, countSendableWebhooks(ramp, 0));
    const made = Math.ceil(sent / getDefaultReplayBatchSize(mode)) + Math.ceil(sent / ROWS_PER_PAGE);
    addRound(total, { sent, made, ms: outcomeMs + made * REQUEST_MS });
    left -= sent;
    for (let n = 0; n < sent; n++) ramp = updateReplayRamp(ramp, true);
    ramp = advanceReplayRamp(ramp, sent, sent);
  }
  return { ...total, ms: Math.round(total.ms) };
}

/** Forecasts a local delivery, which sends at most one request at a time per connection. */
function forecastDelivery(mode: ReplayMode, count: number, basis: ForecastBasis): Forecast {
  const { usual, largestSubscription } = basis;
  const responseMs = Math.max(1, usual ?? DEFAULT_RESPONSE_MS);
  const at_once = Math.min(count, DEFAULT_CONNECTIONS[mode]);
  // The canary and the first step take one round each. In the best case, all connections are busy after that.
  const rounds = Math.min(count, 2) + Math.ceil(Math.max(0, count - 6) / Math.max(1, at_once));
  const ms = Math.round(responseMs * Math.max(rounds, largestSubscription));
  return { requests: count, ms, at_once, per_second: toRate(at_once, responseMs) };
}

function addRound(total: Forecast, { sent, made, ms }: { sent: number; made: number; ms: number }): void {
  total.requests += made;
  total.ms += ms;
  total.at_once = Math.max(total.at_once, sent);
  total.per_second = Math.max(total.per_second, toRate(sent, ms));
}

const toRate = (count: number, ms: number): number => Math.round((count * 10_000) / Math.max(1, ms)) / 10;
