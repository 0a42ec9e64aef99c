import { commit } from '../../store/sqlite/connection.ts';
import { countCreated, countWebhooks, createdBehind } from '../../store/webhooks/webhook-places.ts';
import { addDays, earliestDay, isDayClosed, latestDay, startOf } from '../shared/any-zone.ts';
import { type ClosedWindow, closedWindows, dropClosed } from './closed-window.ts';
import type { WebhookLog } from './webhook-log.ts';
import { beginClosed } from './window-units.ts';

/** Number of days in which the complete log is read again, one part per day. */
const DAYS = 30;
const EVERY_MS = 24 * 3_600_000;
/** Maximum number of pages of a closed window with more than one day. Several windows are read in parallel. */
const MOST_PAGES = 32;

/**
 * Once a day, schedules a thirtieth of the log for reading. Webhooks replayed by others, and changes made by the service,
 * appear in no list of changes. The log is read in fixed windows of days that are over. Their pages are recognized by
 * fingerprints, and unchanged pages cause no writes.
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

  const closed = closedWindows(log);
  const first = createdBehind(cache, state.gone_before ?? 1, 0);
  if (first === null) return;
  const begin = beginning(closed, earliestDay(first));
  const due = Math.ceil(countWebhooks(cache) / DAYS);
  const { windows, next } = windowsOfTheDay(log, closed, state.audit_from ?? begin, due);
  commit(cache, () => {
    for (const window of closed) if (window.since < begin) dropClosed(log, window);
    for (const { since, until } of windows) beginClosed(log, since, until);
    log.save({ audited_at: now, audit_from: next });
  });
}

/** Returns the first day to read. The oldest row may be in the middle of a closed window. */
function beginning(closed: readonly ClosedWindow[], oldest: string): string {
  return closed.find(({ since, until }) => since <= oldest && oldest <= until)?.since ?? oldest;
}

type Days = Pick<ClosedWindow, 'since' | 'until'>;

/**
 * Returns the windows from a day on that contain the rows to read today. `next` is the day after them, or null at the
 * end.
 */
function windowsOfTheDay(
  log: WebhookLog,
  closed: readonly ClosedWindow[],
  from: string,
  due: number,
): { windows: Days[]; next: string | null } {
  const { cache } = log.context.site;
  const perPage = log.perPage();
  const stretch = Math.min(Math.max(due, perPage), MOST_PAGES * perPage);
  const windows: Days[] = [];
  let since = from;
  for (let rows = 0; rows < due && isDayClosed(since, log.serviceNow()); ) {
    const until = lastDay(log, closed, since, stretch);
    windows.push({ since, until });
    const next = addDays(until, 1);
    const known = closed.find((window) => window.since === since);
    rows += known?.rows ?? countCreated(cache, startOf(since), startOf(next));
    since = next;
  }
  return { windows, next: isDayClosed(since, log.serviceNow()) ? since : null };
}

/**
 * Returns the last day of the window that begins with `since`: the previous one, or one that gives about `stretch` rows.
 */
function lastDay(log: WebhookLog, closed: readonly ClosedWindow[], since: string, stretch: number): string {
  const known = closed.find((window) => window.since === since);
  if (known !== undefined) return known.until;
  const next = closed.find((window) => window.since > since)?.since;
  const to = createdBehind(log.context.site.cache, startOf(since), stretch) ?? log.serviceNow();
  let until = latestDay(to);
  if (next !== undefined && until >= next) until = addDays(next, -1);
  while (until > since && !isDayClosed(until, log.serviceNow())) until = addDays(until, -1);
  return until;
}
