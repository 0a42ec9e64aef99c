import { commit } from '../store/database.ts';
import { countWebhooks, createdBehind } from '../store/webhooks/webhookPlaces.ts';
import { addDays, earliestDay, isDayClosed, latestDay } from './anyZone.ts';
import type { WebhookLog } from './webhookLog.ts';
import { beginWindow } from './webhookWindows.ts';

/** Everything is read again once in so many days, a part each day. */
const DAYS = 30;
const EVERY_MS = 24 * 3_600_000;
const KEY = 'window of the day';

/**
 * Once a day, sets a thirtieth of the log to be read again: what others replayed and was accepted again, or what the service
 * changed for reasons of its own, shows in no list of changes. Rows that are as they were write nothing.
 */
export function beginAudit(log: WebhookLog): void {
  const { context, state } = log;
  const { cache } = context.site;
  const now = context.now();
  if (state.audited_at === null) {
    log.save({ audited_at: now });
    return;
  }
  if (now - state.audited_at < EVERY_MS) return;

  const rows = Math.ceil(countWebhooks(cache) / DAYS);
  const from = createdBehind(cache, state.audited_to ?? 1, 0) ?? createdBehind(cache, 1, 0);
  if (from === null) return;
  const to = createdBehind(cache, from, rows) ?? from;
  let until = latestDay(to);
  while (!isDayClosed(until, log.serviceNow())) until = addDays(until, -1);
  const since = earliestDay(from);
  commit(cache, () => {
    if (since <= until) beginWindow(log, since, null, { key: KEY, until });
    const end = Date.parse(`${until}T00:00:00Z`);
    // At the newest day that is over it begins anew.
    log.save({ audited_at: now, audited_to: since <= until && to > from ? Math.max(end, from + 1) : null });
  });
}
