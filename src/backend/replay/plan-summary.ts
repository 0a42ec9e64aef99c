import { isoMoment } from '../store/moment.ts';
import type { PlanSummary } from '../store/replay/replay.ts';
import type { Candidate } from '../store/replay/replay-candidates.ts';
import { forecast } from './forecast.ts';

/** The most errors, days and addresses that a plan lists by themselves; the rest is counted together. */
const LISTED = 200;
/** Ids of a post and rows of a page, for what a replay must at least cost. */
const IDS_PER_POST = 100;
const ROWS_PER_PAGE = 200;

/** What a plan shows of its webhooks, counted as they pass. */
export interface Summary {
  add(webhook: Candidate): void;
  leaveOut(why: keyof PlanSummary['left_out'], count?: number): void;
  /** Webhooks that were held, taken or left out. */
  seen(): number;
  /** Webhooks that were taken. */
  count(): number;
  /** One of those that were taken is tried by the service itself until then, ms UTC. */
  retrying(until: number): void;
  /** `usual`: ms from post to outcome, where that is known. */
  summary(usual: number | null): PlanSummary;
}

export function createSummary(): Summary {
  const counts = {
    event: new Map<string, number>(),
    error: new Map<string, number>(),
    day: new Map<string, number>(),
    url: new Map<string, number>(),
  };
  const left_out = { accepted: 0, unknown: 0, retrying: 0 };
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
      note(counts.event, webhook.event);
      note(counts.url, webhook.url);
      if (webhook.error !== null) note(counts.error, webhook.error);
      const day = /^\d{4}-\d\d-\d\d/.exec(webhook.created_at_text ?? '')?.[0];
      if (day !== undefined) note(counts.day, day);
    },
    leaveOut(why, number = 1) {
      left_out[why] += number;
    },
    seen: () => count + left_out.accepted,
    count: () => count,
    retrying(last) {
      retrying++;
      until = Math.max(until ?? last, last);
    },
    summary: (usual) => ({
      oldest_at: oldest?.created_at_text ?? null,
      newest_at: newest?.created_at_text ?? null,
      by_event: mostOf(counts.event).map(([event, count]) => ({ event, count })),
      by_error: mostOf(counts.error).map(([error, count]) => ({ error, count })),
      by_day: [...counts.day].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, count]) => ({ day, count })),
      by_url: mostOf(counts.url).map(([url, count]) => ({ url, count })),
      left_out,
      retrying,
      retrying_until: isoMoment(until),
      expected: forecast(count, usual),
      expected_requests: Math.ceil(count / IDS_PER_POST) + Math.ceil(count / ROWS_PER_PAGE),
    }),
  };
}

function note(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function mostOf(counts: Map<string, number>): [string, number][] {
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (sorted.length <= LISTED) return sorted;
  const rest = sorted.slice(LISTED - 1).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, LISTED - 1), ['others', rest]];
}
