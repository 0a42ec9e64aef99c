import { formatTimestamp } from '../shared/timestamps.ts';
import type { ReplayPlanSummary } from '../store/replay/replay.ts';
import type { ReplayCandidate } from '../store/replay/replay-candidates.ts';
import { forecastRates, forecastReplay } from './replay-forecast.ts';

/** Maximum number of events, errors or addresses that a plan lists separately. All others are counted together. */
const MAX_LISTED = 200;
/** Ids per post and rows per page of the log, from which a replay's minimum number of requests is computed. */
const IDS_PER_POST = 100;
const ROWS_PER_PAGE = 200;

/** Builds the summary of a replay plan, one webhook at a time. */
export class ReplayPlanSummaryBuilder {
  /** Number of webhooks in the plan so far. */
  count = 0;
  readonly #byEvent = new Map<string, number>();
  readonly #byError = new Map<string, number>();
  readonly #byDay = new Map<string, number>();
  readonly #byUrl = new Map<string, number>();
  readonly #excluded: ReplayPlanSummary['excluded'] = {
    accepted: 0,
    unknown: 0,
    retrying: 0,
    unreadable: 0,
    unverified: 0,
  };
  #oldest: ReplayCandidate | null = null;
  #newest: ReplayCandidate | null = null;
  #superseded = 0;
  readonly #bySubscription = new Map<number, number>();
  #largestSubscription = 0;
  #retrying = 0;
  #retryingUntil: number | null = null;

  add(webhook: ReplayCandidate, isSuperseded: boolean): void {
    const { created_at, created_at_text, event, url, error, subscription_id } = webhook;
    this.count++;
    if (isSuperseded) this.#superseded++;
    if (subscription_id !== null) {
      const ofSubscription = (this.#bySubscription.get(subscription_id) ?? 0) + 1;
      this.#bySubscription.set(subscription_id, ofSubscription);
      this.#largestSubscription = Math.max(this.#largestSubscription, ofSubscription);
    }
    if (this.#oldest === null || created_at < this.#oldest.created_at) this.#oldest = webhook;
    if (this.#newest === null || created_at >= this.#newest.created_at) this.#newest = webhook;
    increment(this.#byEvent, event);
    increment(this.#byUrl, url);
    if (error !== null) increment(this.#byError, error);
    const day = /^\d{4}-\d\d-\d\d/.exec(created_at_text ?? '')?.[0];
    if (day !== undefined) increment(this.#byDay, day);
  }

  countExcluded(reason: keyof ReplayPlanSummary['excluded'], count = 1): void {
    this.#excluded[reason] += count;
  }

  /** Returns the number of stored webhooks seen so far, including those left out of the plan. */
  countSeen(): number {
    const { accepted, unreadable, unverified } = this.#excluded;
    return this.count + accepted + unreadable + unverified;
  }

  /** Counts a webhook in the plan that the service itself retries until the given time (UTC milliseconds). */
  addRetrying(until: number): void {
    this.#retrying++;
    this.#retryingUntil = Math.max(this.#retryingUntil ?? until, until);
  }

  /** Returns the summary. `usual` is the usual time from post to outcome in milliseconds, if known. */
  build(usual: number | null, isLocal: boolean): ReplayPlanSummary {
    const expected = forecastReplay(this.count, {
      usual,
      isLocal,
      largestSubscription: this.#largestSubscription,
    });
    return {
      oldest_at: this.#oldest?.created_at_text ?? null,
      newest_at: this.#newest?.created_at_text ?? null,
      by_event: sortByCount(this.#byEvent).map(([event, count]) => ({ event, count })),
      by_error: sortByCount(this.#byError).map(([error, count]) => ({ error, count })),
      by_day: [...this.#byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, count]) => ({ day, count })),
      by_url: sortByCount(this.#byUrl).map(([url, count]) => ({ url, count })),
      excluded: this.#excluded,
      retrying: this.#retrying,
      retrying_until: formatTimestamp(this.#retryingUntil),
      expected,
      rates: forecastRates(this.count, expected.adaptive.ms),
      superseded: this.#superseded,
      largest_subscription: this.#largestSubscription,
      expected_requests: isLocal
        ? this.count
        : Math.ceil(this.count / IDS_PER_POST) + Math.ceil(this.count / ROWS_PER_PAGE),
    };
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sortByCount(counts: Map<string, number>): [string, number][] {
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (sorted.length <= MAX_LISTED) return sorted;
  const others = sorted.slice(MAX_LISTED - 1).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, MAX_LISTED - 1), ['others', others]];
}
