import { runInTransaction } from '../../store/sqlite/connection.ts';
import {
  countStoredWebhooks,
  countWebhooksCreatedBetween,
  findNthWebhookCreationTime,
} from '../../store/webhooks/webhook-lookups.ts';
import {
  addDays,
  getEarliestLocalDay,
  getLatestLocalDay,
  getStartOfUtcDay,
  isDayOverInAllTimeZones,
} from '../shared/days-in-all-time-zones.ts';
import {
  type ClosedWebhookWindow,
  deleteClosedWebhookWindow,
  listClosedWebhookWindows,
} from './closed-webhook-window.ts';
import type { WebhookLog } from './webhook-log.ts';
import { addClosedWebhookWindow } from './webhook-window-units.ts';

/** Number of days in which the complete webhook log is read again, one part per day. */
const REREAD_CYCLE_DAYS = 30;
const REREAD_INTERVAL_MS = 24 * 3_600_000;
/** Maximum number of pages of a closed window, unless a single day has more. Several windows are read in parallel. */
const MAX_WINDOW_PAGES = 32;

/** Once a day, schedules one thirtieth of the log to be read again, because no list shows changes made by others. */
export function scheduleWebhookReread(log: WebhookLog): void {
  const { context, state } = log;
  const { cache } = context.site;
  const now = context.now();
  if (state.audited_at === null) {
    log.save({ audited_at: now });
    return;
  }
  if (now - state.audited_at < REREAD_INTERVAL_MS) return;

  const closed = listClosedWebhookWindows(log);
  const first = findNthWebhookCreationTime(cache, state.gone_before ?? 1, 0);
  if (first === null) return;
  const begin = findFirstDayToReread(closed, getEarliestLocalDay(first));
  const rowsToReread = Math.ceil(countStoredWebhooks(cache) / REREAD_CYCLE_DAYS);
  const { windows, next } = planTodaysWindows(log, closed, state.audit_from ?? begin, rowsToReread);
  runInTransaction(cache, () => {
    for (const window of closed) if (window.since < begin) deleteClosedWebhookWindow(log, window);
    for (const { since, until } of windows) addClosedWebhookWindow(log, since, until);
    log.save({ audited_at: now, audit_from: next });
  });
}

/** Returns the first day to read: the log's oldest day, or the first day of the closed window around that day. */
function findFirstDayToReread(closed: readonly ClosedWebhookWindow[], oldest: string): string {
  return closed.find(({ since, until }) => since <= oldest && oldest <= until)?.since ?? oldest;
}

type DayRange = Pick<ClosedWebhookWindow, 'since' | 'until'>;

/** Returns the windows for the rows to read today, and the first day after them (null at the end of the log). */
function planTodaysWindows(
  log: WebhookLog,
  closed: readonly ClosedWebhookWindow[],
  from: string,
  due: number,
): { windows: DayRange[]; next: string | null } {
  const { cache } = log.context.site;
  const perPage = log.perPage();
  const targetRows = Math.min(Math.max(due, perPage), MAX_WINDOW_PAGES * perPage);
  const windows: DayRange[] = [];
  let since = from;
  for (let rows = 0; rows < due && isDayOverInAllTimeZones(since, log.serviceNow()); ) {
    const until = findLastWindowDay(log, closed, since, targetRows);
    windows.push({ since, until });
    const next = addDays(until, 1);
    const known = closed.find((window) => window.since === since);
    rows +=
      known?.rows ?? countWebhooksCreatedBetween(cache, getStartOfUtcDay(since), getStartOfUtcDay(next));
    since = next;
  }
  return { windows, next: isDayOverInAllTimeZones(since, log.serviceNow()) ? since : null };
}

/**
 * Returns the last day of the window that starts at `since`: its stored last day or, if it is not stored, the day by
 * which it contains `targetRows` rows.
 */
function findLastWindowDay(
  log: WebhookLog,
  closed: readonly ClosedWebhookWindow[],
  since: string,
  targetRows: number,
): string {
  const known = closed.find((window) => window.since === since);
  if (known !== undefined) return known.until;
  const next = closed.find((window) => window.since > since)?.since;
  const to =
    findNthWebhookCreationTime(log.context.site.cache, getStartOfUtcDay(since), targetRows) ??
    log.serviceNow();
  let until = getLatestLocalDay(to);
  if (next !== undefined && until >= next) until = addDays(next, -1);
  while (until > since && !isDayOverInAllTimeZones(until, log.serviceNow())) until = addDays(until, -1);
  return until;
}
