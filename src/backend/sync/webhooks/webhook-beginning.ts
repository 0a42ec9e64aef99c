import { addDays, latestDay } from '../shared/any-zone.ts';
import { unitFailure } from '../shared/units.ts';
import { type WebhookLog, withoutLost } from './webhook-log.ts';
import { openWindow, type Window } from './window.ts';

/** Number of rows requested to find the first one. */
const LOOKED_AT = 25;

/**
 * Checks whether the log still begins as it did when the first window was started. The service keeps its log for a
 * limited time. If it deletes its oldest rows during a sync, all others move up and some are skipped. Returns the windows
 * to read instead: from a day that will not be deleted soon, and the few days before it. Returns null if nothing moved.
 * Short logs are not read by windows, so this is worth a request.
 */
export async function beginAnew(
  log: WebhookLog,
  first: Window,
  key: string,
  signal: AbortSignal,
): Promise<{ rest: Window; oldest: Window } | null> {
  const begins = await beginningOf(log, signal);
  if (begins === null || first.first_at === null || first.first_at >= begins) return null;
  const day = addDays(latestDay(begins), 1);
  const since = addDays(day, 1);
  if (first.until !== null && since > first.until) return null;
  return {
    rest: openWindow(first.key, since, first.until, first.meets),
    oldest: openWindow(key, null, day, null),
  };
}

/**
 * Returns the creation time of the log's oldest row (UTC milliseconds), or null if the log is empty or the service fails
 * on it.
 */
async function beginningOf(log: WebhookLog, signal: AbortSignal): Promise<number | null> {
  try {
    const read = await log.read({ order: 'oldest_first' }, { page: 1, per_page: LOOKED_AT }, signal);
    log.store(withoutLost(read), 'the oldest webhooks');
    return read.created[0] ?? null;
  } catch (error) {
    if (unitFailure(error) === null) throw error;
    return null;
  }
}
