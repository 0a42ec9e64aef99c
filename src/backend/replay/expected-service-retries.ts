import type { ReplayCandidate } from '../store/replay/replay-candidates.ts';

/** Matches the retry count that the service adds to an error, for example `404 Resource Not Found (retry 5 of 5)`. */
const ATTEMPT_COUNT = /\(retry (\d+) of (\d+)\)\s*$/;

/**
 * Returns true if the service will probably retry a webhook itself. The retry schedule is not specified. A retry is
 * therefore expected within `lag` milliseconds of the latest attempt or the creation, unless that attempt was marked as
 * the last.
 */
export function isServiceRetryExpected(
  webhook: Pick<ReplayCandidate, 'delivery' | 'created_at' | 'last_sent_ms' | 'last_error'>,
  serviceNow: number,
  lag: number,
): boolean {
  if (webhook.delivery === 0) return false;
  const [, tries, all] = ATTEMPT_COUNT.exec(webhook.last_error ?? '') ?? [];
  if (tries !== undefined && Number(tries) >= Number(all)) return false;
  return getExpectedServiceRetryEnd(webhook, lag) > serviceNow;
}

/** Returns the time until which a retry by the service is expected (UTC milliseconds, service's clock). */
export function getExpectedServiceRetryEnd(
  webhook: Pick<ReplayCandidate, 'created_at' | 'last_sent_ms'>,
  lag: number,
): number {
  return Math.max(webhook.created_at, webhook.last_sent_ms) + lag;
}
