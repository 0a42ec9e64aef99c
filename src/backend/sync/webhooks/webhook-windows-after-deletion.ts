import { addDays, getLatestLocalDay } from '../shared/days-in-all-time-zones.ts';
import { toSyncUnitError } from '../shared/sync-unit-errors.ts';
import { omitPoisonRows, type WebhookLog } from './webhook-log.ts';
import { createWebhookWindow, type WebhookWindow } from './webhook-window.ts';

/** Number of rows requested to find the oldest webhook. */
const FIRST_PAGE_ROWS = 25;

/**
 * Returns the windows to read again if the service has deleted the log's oldest rows while the first window was being
 * read. The deletion shifts all other rows, so that some rows are skipped. The oldest days get their own window.
 */
export async function findWebhookWindowsAfterDeletion(
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

/** Returns the creation time (UTC milliseconds) of the log's oldest row, or null if it cannot be read. */
async function readOldestRowTime(log: WebhookLog, signal: AbortSignal): Promise<number | null> {
  try {
    const read = await log.read({ order: 'oldest_first' }, { page: 1, per_page: FIRST_PAGE_ROWS }, signal);
    log.store(omitPoisonRows(read), 'the oldest webhooks');
    return read.created[0] ?? null;
  } catch (error) {
    if (toSyncUnitError(error) === null) throw error;
    return null;
  }
}
