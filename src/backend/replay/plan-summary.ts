import { formatTimestamp } from '../shared/timestamps.ts';
import type { PlanSummary } from '../store/replay/replay.ts';
import type { Candidate } from '../store/replay/replay-candidates.ts';
import { forecastReplay } from './replay-forecast.ts';

/** Maximum number of errors, days or addresses listed separately in a plan. All others are counted together. */
const MAX_LISTED = 200;
/** Ids per post and rows per page, used to compute the minimum number of requests of a replay. */
const IDS_PER_POST = 100;
const ROWS_PER_PAGE = 200;

/** Builds the summary of a replay plan, one webhook at a time. */
export interface PlanSummaryBuilder {
  add(webhook: Candidate): void;
  leaveOut(reason: keyof PlanSummary['excluded'], count?: number): void;
  /** Returns the number of webhooks added so far, including accepted ones that were left out. */
  seen(): number;
  /** Returns the number of webhooks in the plan so far. */
  count(): number;
  /** Counts a webhook in the plan that the service itself retries until the given time (UTC milliseconds). */
  retrying(until: number): void;
  /** Returns the summary. `usual` is the usual time from post to outcome in milliseconds, if known. */
  summary(usual: number | null): PlanSummary;
}

export function createPlanSummaryBuilder(): PlanSummaryBuilder {
  const counts = {
    event: new Map<string, number>(),
    error: new Map<string, number>(),
    day: new Map<string, number>(),
    url: new Map<string, number>(),
  };
  const excluded = { accepted: 0, unknown: 0, retrying: 0 };
  let count = 0;
  let oldest: Candidate | null = null;
  let newest: Candidate | null = null;
  let retrying = 0;
  let until: number | null = null;

  return {
    add(webhook) {
      count++;
      if (oldest === null || webhook.created_at < oldest.created_at) oldest = webhook;
      if (newest === null || webhook.created_at >= newest.created_at) newest = webhook;
      increment(counts.event, webhook.event);
      increment(counts.url, webhook.url);
      if (webhook.error !== null) increment(counts.error, webhook.error);
      const day = /^\d{4}-\d\d-\d\d/.exec(webhook.created_at_text ?? '')?.[0];
      if (day !== undefined) increment(counts.day, day);
    },
    leaveOut(reason, number = 1) {
      excluded[reason] += number;
    },
    seen: () => count + excluded.accepted,
    count: () => count,
    retrying(last) {
      retrying++;
      until = Math.max(until ?? last, last);
    },
    summary: (usual) => ({
      oldest_at: oldest?.created_at_text ?? null,
      newest_at: newest?.created_at_text ?? null,
      by_event: sortByCount(counts.event).map(([event, count]) => ({ event, count })),
      by_error: sortByCount(counts.error).map(([error, count]) => ({ error, count })),
      by_day: [...counts.day].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, count]) => ({ day, count })),
      by_url: sortByCount(counts.url).map(([url, count]) => ({ url, count })),
      excluded,
      retrying,
      retrying_until: formatTimestamp(until),
      expected: forecastReplay(count, usual),
      expected_requests: Math.ceil(count / IDS_PER_POST) + Math.ceil(count / ROWS_PER_PAGE),
    }),
  };
}

function increment(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function sortByCount(counts: Map<string, number>): [string, number][] {
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (sorted.length <= MAX_LISTED) return sorted;
  const rest = sorted.slice(MAX_LISTED - 1).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, MAX_LISTED - 1), ['others', rest]];
}
