import type { SyncContext } from '../shared/sync-context.ts';
import { retryPoisonRows } from './poison-rows.ts';
import { readNewestWebhooks } from './read-newest-webhooks.ts';
import { readWebhookWindows, UNREAD_WINDOW_LOCATION_PREFIX } from './read-webhook-windows.ts';
import { recordCompleteWebhookLogRead, rereadChangedWebhooks } from './reread-changed-webhooks.ts';
import { scheduleWebhookReread } from './schedule-webhook-reread.ts';
import {
  FAILED_WEBHOOKS_LOCATION,
  NEWEST_WEBHOOKS_LOCATION,
  POISON_ROW_LOCATION_PREFIX,
  WebhookLog,
} from './webhook-log.ts';
import { areAllWebhookSyncUnitsDone, listWebhookWindows } from './webhook-window-units.ts';

/** Syncs the newest webhooks, the gap to the stored rows, then changed webhooks. Returns true if all are stored. */
export async function syncWebhooks(context: SyncContext): Promise<boolean> {
  const { job, tally, now } = context;
  const began = now();
  const log = new WebhookLog(context);
  const isFirstRead = context.full || log.state.reach === null;
  job.progress('webhooks', { current: 'newest webhooks' });
  const isNewestRead = await log.attempt(NEWEST_WEBHOOKS_LOCATION, () => readNewestWebhooks(log, job.signal));
  if (isNewestRead) scheduleWebhookReread(log);
  await retryPoisonRows(log, job.signal);
  await readWebhookWindows(log, job.signal);
  const areWindowsDone = isNewestRead && listWebhookWindows(log).every((window) => window.done);
  if (isFirstRead && areWindowsDone) {
    // This sync has read every row of the log.
    log.save({ swept_at: began });
    if (log.state.since === null) recordCompleteWebhookLogRead(log);
  } else {
    job.progress('webhooks', { current: 'failed webhooks' });
    await log.attempt(FAILED_WEBHOOKS_LOCATION, () => rereadChangedWebhooks(log, job.signal));
  }
  const complete = areAllWebhookSyncUnitsDone(log) && tally.failed === 0;
  if (complete)
    for (const each of [POISON_ROW_LOCATION_PREFIX, UNREAD_WINDOW_LOCATION_PREFIX])
      log.problems.clearByPrefix(each);
  log.save({}, complete ? { complete, synced_at: began } : { complete });
  const read = { done: log.rowsRead, total: log.rowsRead, estimated: false };
  job.progress('webhooks', { ...read, failed: tally.failed, current: null });
  return complete;
}
