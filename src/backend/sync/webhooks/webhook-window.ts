import {
  addDays,
  findDayBetweenInstants,
  getDayEndInAllTimeZones,
  getEarliestLocalDay,
} from '../shared/days-in-all-time-zones.ts';
import type { ListPageRequest } from '../shared/read-page-in-parts.ts';

/** Checksum of a page's rows, and the time at which the page was requested (UTC milliseconds). */
export interface PageFingerprint {
  checksum: string;
  read_at: number;
}

/** Fingerprints of a window's pages, which all have the same size. Null for a page with unreadable rows. */
export interface WebhookWindowFingerprints {
  per_page: number;
  pages: (PageFingerprint | null)[];
}

/**
 * Range of days of the webhook log that is read oldest first. The service only appends rows, so the first n rows of a
 * window stay the same. Windows can therefore be read in parallel and resumed without skipping rows.
 */
export interface WebhookWindow {
  key: string;
  /** First and last day, inclusive. Null means unbounded. */
  since: string | null;
  until: string | null;
  /** Creation time (UTC milliseconds) from which all newer rows are stored. The window may end there. */
  meets: number | null;
  /** Number of rows read from the start of the window. */
  rows: number;
  /** `created_at` of the first and the last row read, in UTC milliseconds. */
  first_at: number | null;
  last_at: number | null;
  done: boolean;
  /** Fingerprints of the pages read so far, for closed windows only. Null if a page did not follow the previous one. */
  marks?: WebhookWindowFingerprints | null;
}

export function createWebhookWindow(
  key: string,
  since: string | null,
  until: string | null,
  meets: number | null,
): WebhookWindow {
  return { key, since, until, meets, rows: 0, first_at: null, last_at: null, done: false };
}

/** Returns the next page to read, for any page size. The page may begin with rows that were already read. */
export function getNextWebhookWindowPage({ rows }: WebhookWindow, rowsPerPage: number): ListPageRequest {
  return { page: Math.floor(rows / rowsPerPage) + 1, per_page: rowsPerPage };
}

/** Returns a window that starts on the day of the last row read, with a row count of zero. */
export function restartWindowAtCurrentDay(window: WebhookWindow): WebhookWindow {
  const { since, last_at } = window;
  if (last_at === null) return window;
  const day = getEarliestLocalDay(last_at);
  return {
    ...window,
    since: since !== null && since > day ? since : day,
    ...{ rows: 0, first_at: null, last_at: null },
  };
}

export function countRowsBeforePage({ page, per_page }: ListPageRequest): number {
  return (page - 1) * per_page;
}

/**
 * Returns the window after `rows` rows. `created` lists the creation times on the last page read. `last` means that no
 * page follows.
 */
export function advanceWebhookWindow(
  window: WebhookWindow,
  rows: number,
  created: readonly number[],
  last: boolean,
): WebhookWindow {
  const first_at = window.first_at ?? created[0] ?? null;
  const last_at = created.at(-1) ?? window.last_at;
  const now = { ...window, rows, first_at, last_at };
  return { ...now, done: last || hasWindowReachedStoredRows(now) };
}

/** Returns true if the window has reached rows that are already stored. */
export function hasWindowReachedStoredRows({ meets, last_at }: WebhookWindow): boolean {
  return meets !== null && last_at !== null && last_at > meets;
}

/** Returns true if the window must have unread rows, because it has not reached a newer stored row. */
export function hasWebhookWindowUnreadRows({ meets, last_at }: WebhookWindow): boolean {
  return meets !== null && last_at !== null && last_at < meets;
}

/** Returns the window's number of rows per millisecond, or null if too few rows were read. */
function computeWindowDensity({ first_at, last_at, rows }: WebhookWindow): number | null {
  return first_at !== null && last_at !== null && last_at > first_at ? rows / (last_at - first_at) : null;
}

function getWindowEnd(window: WebhookWindow, now: number): number {
  const bound = window.until === null ? now : Math.min(now, getDayEndInAllTimeZones(window.until));
  return window.meets === null ? bound : Math.min(bound, window.meets);
}

/** Estimates a window's remaining rows from its row density and, if known, the density of the next range. */
export function estimateRemainingWindowRows(
  window: WebhookWindow,
  now: number,
  nextDensity: number | null = null,
): number {
  if (window.done || window.last_at === null) return 0;
  const own = computeWindowDensity(window) ?? nextDensity ?? 0;
  return (Math.max(0, getWindowEnd(window, now) - window.last_at) * (own + (nextDensity ?? own))) / 2;
}

/**
 * Estimates the remaining rows of all windows. A growing site has more rows per day later, so a window's end is
 * estimated with the next window's density. `newest` is the density at the end of the log in rows per millisecond.
 */
export function estimateTotalRemainingRows(
  windows: readonly WebhookWindow[],
  now: number,
  newest: number | null,
): number {
  const inOrder = windows.toSorted((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  return inOrder.reduce((sum, window, at) => {
    const next = inOrder[at + 1];
    const densityAfter = next === undefined ? newest : (computeWindowDensity(next) ?? newest);
    return sum + estimateRemainingWindowRows(window, now, densityAfter);
  }, 0);
}

/** Maximum share of requests spent on window splits. Each split costs up to one request. Chosen by judgment. */
const MAX_SPLIT_REQUEST_SHARE = 0.03;
/** Minimum number of remaining pages for which a window is split. Chosen by judgment. */
const MIN_SPLIT_PAGES = 16;

/**
 * Splits the window with the most remaining rows, so that an idle worker can read its later half under the given key.
 * Returns null if no split is worthwhile. A split does not shift the pages of the earlier half.
 */
export function splitLargestWebhookWindow(
  windows: readonly WebhookWindow[],
  now: number,
  rowsPerPage: number,
  key: string,
): { earlier: WebhookWindow; later: WebhookWindow } | null {
  const seen = windows.reduce((sum, window) => sum + window.rows, 0);
  const open = windows.filter((window) => !window.done && window.last_at !== null);
  const left = open.map((window) => estimateRemainingWindowRows(window, now));
  const pages = (seen + left.reduce((sum, rows) => sum + rows, 0)) / rowsPerPage;
  if (windows.length >= 1 + Math.floor(pages * MAX_SPLIT_REQUEST_SHARE)) return null;

  const largest = left.indexOf(Math.max(...left));
  const window = open[largest];
  if (window === undefined || window.last_at === null) return null;
  if ((left[largest] as number) / rowsPerPage < MIN_SPLIT_PAGES) return null;
  const day = findDayBetweenInstants(window.last_at, getWindowEnd(window, now));
  if (day === null) return null;
  const since = addDays(day, 1);
  return {
    earlier: { ...window, until: day, meets: null },
    later: createWebhookWindow(key, since, window.until, window.meets),
  };
}
