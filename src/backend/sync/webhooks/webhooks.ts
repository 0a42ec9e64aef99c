import type { SyncContext } from '../shared/sync-context.ts';
import { attemptSyncUnit } from '../shared/unit-failures.ts';
import { readChangedWebhooks, recordCompleteLogRead } from './changed-webhooks.ts';
import { readNewestWebhooks } from './newest-webhooks.ts';
import { retryPoisonRows } from './poison-rows.ts';
import { readWebhookWindows, UNREAD_WINDOW_PREFIX } from './read-windows.ts';
import { FAILED_WEBHOOKS, NEWEST_WEBHOOKS, openWebhookLog, POISON_ROW_PREFIX } from './webhook-log.ts';
import { scheduleWebhookReread } from './webhook-reread.ts';
import { areAllWebhookUnitsDone, listWebhookWindows } from './window-units.ts';

/**
 * Syncs the webhook log: first its newest part, then the gap to the stored rows, then webhooks that may have changed.
 * Returns true if the complete log is stored.
 */
export async function syncWebhooks(context: SyncContext): Promise<boolean> {
  const { job, tally, now } = context;
  const began = now();
  const log = openWebhookLog(context);
  const fresh = context.full || log.state.reach === null;
  job.progress('webhooks', { current: 'newest webhooks' });
  const tail = await attemptSyncUnit(context, log.problems, NEWEST_WEBHOOKS, () =>
    readNewestWebhooks(log, job.signal),
  );
  if (tail) scheduleWebhookReread(log);
  await retryPoisonRows(log, job.signal);
  await readWebhookWindows(log, job.signal);
  const whole = tail && listWebhookWindows(log).every((window) => window.done);
  if (fresh && whole) {
    // This sync has read every row.
    log.save({ swept_at: began });
    if (log.state.since === null) recordCompleteLogRead(log);
  } else {
    job.progress('webhooks', { current: 'failed webhooks' });
    await attemptSyncUnit(context, log.problems, FAILED_WEBHOOKS, () => readChangedWebhooks(log, job.signal));
  }
  const complete = areAllWebhookUnitsDone(log) && tally.failed === 0;
  if (complete)
    for (const each of [POISON_ROW_PREFIX, UNREAD_WINDOW_PREFIX]) log.problems.clearByPrefix(each);
  log.save({}, complete ? { complete, synced_at: began } : { complete });
  const read = { done: log.seen, total: log.seen, estimated: false };
  job.progress('webhooks', { ...read, failed: tally.failed, current: null });
  return complete;
}
