import type { Candidate } from '../store/replay/replay-candidates.ts';

/** The service marks its last attempt itself: `404 Resource Not Found (retry 5 of 5)`. */
const LAST_TRY = /\(retry (\d+) of (\d+)\)\s*$/;

/**
 * Returns true if the service will probably retry a webhook itself, so that a replay now would only create duplicates.
 * Its retry schedule is not specified. A retry is expected within `lag` milliseconds of the last attempt or the creation,
 * unless the service marked the attempt as its last.
 */
export function isRetryExpected(
  webhook: Pick<Candidate, 'delivery' | 'created_at' | 'last_sent_ms' | 'last_error'>,
  serviceNow: number,
  lag: number,
): boolean {
  if (webhook.delivery === 0) return false;
  const [, tries, all] = LAST_TRY.exec(webhook.last_error ?? '') ?? [];
  if (tries !== undefined && Number(tries) >= Number(all)) return false;
  return retryExpectedUntil(webhook, lag) > serviceNow;
}

/** Returns until when a retry is expected (UTC milliseconds, service clock). */
export function retryExpectedUntil(
  webhook: Pick<Candidate, 'created_at' | 'last_sent_ms'>,
  lag: number,
): number {
  return Math.max(webhook.created_at, webhook.last_sent_ms) + lag;
}
