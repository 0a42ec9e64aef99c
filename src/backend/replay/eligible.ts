import type { Candidate } from '../store/replay/replay-candidates.ts';

/** The last of the service's own attempts, as it says so itself: `404 Resource Not Found (retry 5 of 5)`. */
const LAST_TRY = /\(retry (\d+) of (\d+)\)\s*$/;

/**
 * Whether the service is likely to try a webhook again by itself: a replay now would only make duplicates. Its schedule is
 * not shown; for so long (`lag`, ms) after the last attempt, or after its creation, one is waited for, unless the service
 * says that it was the last.
 */
export function isRetrying(
  webhook: Pick<Candidate, 'delivery' | 'created_at' | 'last_sent_ms' | 'last_error'>,
  serviceNow: number,
  lag: number,
): boolean {
  if (webhook.delivery === 0) return false;
  const [, tries, all] = LAST_TRY.exec(webhook.last_error ?? '') ?? [];
  if (tries !== undefined && Number(tries) >= Number(all)) return false;
  return retriedUntil(webhook, lag) > serviceNow;
}

/** Up to when (ms UTC, the service's clock) it is waited for. */
export function retriedUntil(webhook: Pick<Candidate, 'created_at' | 'last_sent_ms'>, lag: number): number {
  return Math.max(webhook.created_at, webhook.last_sent_ms) + lag;
}
