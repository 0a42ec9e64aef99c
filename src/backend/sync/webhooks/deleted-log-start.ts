import { addDays, getLatestLocalDay } from '../shared/days-in-any-zone.ts';
import { toUnitError } from '../shared/unit-failures.ts';
import { type WebhookLog, withoutPoisonRows } from './webhook-log.ts';
import { createWebhookWindow, type WebhookWindow } from './webhook-window.ts';

/** Number of rows requested to find the oldest webhook. */
const FIRST_PAGE_ROWS = 25;

/**
 * Returns the windows to read again if the service has deleted the log's oldest rows since the first window was
 * started. The deletion moves all other rows up, so that some are skipped. The first few days get a window of their
 * own.
 */
export async function findWindowsAfterDeletion(
  log: WebhookLog,
  first: WebhookWindow,
  key: string,
  signal: AbortSignal,
): Promise<{ rest: WebhookWindow; oldest: WebhookWindow } | null> {
  const begins = await readOldestRowTime(log, signal);
  if (begins === null || first.first_at === null || first.first_at >= begins) return null;
  const day = addDays(getLatestLocalDay(begins), 1);
  const since = addDays(day, 1);
  if (first.until !== null && since > first.until) return null;
  return {
    rest: createWebhookWindow(first.key, since, first.until, first.meets),
    oldest: createWebhookWindow(key, null, day, null),
  };
}

/** Returns the creation time (UTC milliseconds) of the log's oldest row, or null if there is none that can be read. */
async function readOldestRowTime(log: WebhookLog, signal: AbortSignal): Promise<number | null> {
  try {
    const read = await log.read({ order: 'oldest_first' }, { page: 1, per_page: FIRST_PAGE_ROWS }, signal);
    log.store(withoutPoisonRows(read), 'the oldest webhooks');
    return read.created[0] ?? null;
  } catch (error) {
    if (toUnitError(error) === null) throw error;
    return null;
  }
}
