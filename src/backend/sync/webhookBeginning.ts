import { holdsBefore } from '../store/webhooks/webhookPlaces.ts';
import { addDays, latestDay } from './anyZone.ts';
import { unitFailure } from './units.ts';
import type { WebhookLog } from './webhookLog.ts';
import { openWindow, type Window } from './window.ts';

/** Pages of a reading from which on one more is spent to know whether it was in step: a fiftieth more at most. */
const WORTH_PAGES = 50;
/** Rows looked at, of which the first one counts. */
const LOOKED_AT = 25;

/**
 * The service keeps its log for a limited time. Where it deleted its oldest rows while they were read, all others moved up, and
 * some were passed by unseen. Looks whether the log still begins with what is held; gives the windows to be read then instead
 * of `first`, which begins with the log: from a day on that will not be deleted soon, and the few days before. Null: in step.
 */
export async function beginAnew(
  log: WebhookLog,
  first: Window,
  key: string,
  signal: AbortSignal,
): Promise<{ rest: Window; oldest: Window } | null> {
  if (log.context.full || log.seen < WORTH_PAGES * log.perPage()) return null;
  const { cache } = log.context.site;
  const begins = await beginningOf(log, signal);
  if (begins === null || !holdsBefore(cache, begins)) return null;
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
    log.store(read, 'the oldest webhooks');
    return read.created[0] ?? null;
  } catch (error) {
    if (unitFailure(error) === null) throw error;
    return null;
  }
}
