import { addDays, latestDay } from './any-zone.ts';
import { unitFailure } from './units.ts';
import { type WebhookLog, withoutLost } from './webhook-log.ts';
import { openWindow, type Window } from './window.ts';

/** Rows looked at, of which the first one counts. */
const LOOKED_AT = 25;

/**
 * The service keeps its log for a limited time. Where it deleted its oldest rows while they were read, all others moved up, and
 * some were passed by unseen. Looks whether the log still begins as it did when `first` was begun, the window that begins with it;
 * gives the windows to be read then instead: from a day on that will not be deleted soon, and the few days before. Null: in
 * step. A short log is not read by windows, so that is worth a request.
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

/** When the log's oldest row was created, ms UTC; null where it has none, or where the service fails on it: then it is not known. */
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
