import type { SyncContext } from '../shared/context.ts';
import { attempt } from '../shared/units.ts';
import { beginAudit } from './webhook-audit.ts';
import { noteWhole, readChanged } from './webhook-failed.ts';
import { FAILED_ONES, LOST_ROWS, NEWEST, openLog } from './webhook-log.ts';
import { retryLostRows } from './webhook-lost.ts';
import { readTail } from './webhook-tail.ts';
import { UNREAD_DAYS, walkWindows } from './webhook-windows.ts';
import { allWalked, windowsOf } from './window-units.ts';

/**
 * Syncs the webhook log: its newest part, then the gap to the stored rows, then what may have changed. Returns true if
 * the complete log is stored.
 */
export async function syncWebhooks(context: SyncContext): Promise<boolean> {
  const { job, tally, now } = context;
  const began = now();
  const log = openLog(context);
  const fresh = context.full || log.state.reach === null;
  job.progress('webhooks', { current: 'the newest' });
  const tail = await attempt(context, log.problems, NEWEST, () => readTail(log, job.signal));
  if (tail) beginAudit(log);
  await retryLostRows(log, job.signal);
  await walkWindows(log, job.signal);
  const whole = tail && windowsOf(log).every((window) => window.done);
  if (fresh && whole) {
    // Every row was read in this run.
    log.save({ swept_at: began });
    if (log.state.since === null) noteWhole(log);
  } else {
    job.progress('webhooks', { current: 'those not delivered' });
    await attempt(context, log.problems, FAILED_ONES, () => readChanged(log, job.signal));
  }
  const complete = allWalked(log) && tally.failed === 0;
  if (complete) for (const each of [LOST_ROWS, UNREAD_DAYS]) log.problems.solveAll(each);
  log.save({}, complete ? { complete, synced_at: began } : { complete });
  const read = { done: log.seen, total: log.seen, estimated: false };
  job.progress('webhooks', { ...read, failed: tally.failed, current: null });
  return complete;
}
