import { addDays, earliestLocalDay, endOfDayInAllZones, findDayBetween } from '../shared/days-in-any-zone.ts';
import type { PageRequest } from '../shared/page-parts.ts';
import type { PageFingerprints } from './page-fingerprints.ts';

/**
 * Range of days of the webhook log that is read oldest first. `created_at` never changes and rows are only appended, so
 * the first n rows of a window stay its first n. Windows can therefore be read in parallel, interrupted and resumed
 * without skipping rows. Neighboring windows share no day and leave none out, whichever time zone the service uses.
 */
export interface WebhookWindow {
  key: string;
  /** First and last day, inclusive. Null means unbounded. */
  since: string | null;
  until: string | null;
  /**
   * Creation time (UTC milliseconds) after which all rows are already stored, so that the window may end there. Null: the
   * window is read to its last day.
   */
  meets: number | null;
  /** Number of rows read from the start of the window. */
  rows: number;
  /** `created_at` of the first and the last row read, in UTC milliseconds. */
  first_at: number | null;
  last_at: number | null;
  done: boolean;
  /** Fingerprints of the pages read so far, only for windows of closed days. Null if the pages were inconsistent. */
  marks?: PageFingerprints | null;
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
export function nextWindowPage({ rows }: WebhookWindow, rowsPerPage: number): PageRequest {
  return { page: Math.floor(rows / rowsPerPage) + 1, per_page: rowsPerPage };
}

/** Returns a window that starts at the day of the last row read, with a row count of zero. */
export function restartWindowAtCurrentDay(window: WebhookWindow): WebhookWindow {
  const { since, last_at } = window;
  if (last_at === null) return window;
  const day = earliestLocalDay(last_at);
  return {
    ...window,
    since: since !== null && since > day ? since : day,
    ...{ rows: 0, first_at: null, last_at: null },
  };
}

/** Returns the number of rows before a page. */
export function rowsBeforePage({ page, per_page }: PageRequest): number {
  return (page - 1) * per_page;
}

/**
 * Returns the window after its first `rows` rows were read. `created` are the creation times of the last page, and `last`
 * is true if no page follows.
 */
export function webhookWindowAfterPage(
  window: WebhookWindow,
  rows: number,
  created: readonly number[],
  last: boolean,
): WebhookWindow {
  const first_at = window.first_at ?? created[0] ?? null;
  const last_at = created.at(-1) ?? window.last_at;
  const now = { ...window, rows, first_at, last_at };
  return { ...now, done: last || hasReachedStoredRows(now) };
}

/** Returns true if the window has reached rows that are already stored. */
export function hasReachedStoredRows({ meets, last_at }: WebhookWindow): boolean {
  return meets !== null && last_at !== null && last_at > meets;
}

/** Returns true if the window must have more rows, because it has not reached a newer row that is stored. */
export function mustHaveMoreRows({ meets, last_at }: WebhookWindow): boolean {
  return meets !== null && last_at !== null && last_at < meets;
}

/** Returns rows per millisecond, or null if too few rows were read to tell. */
function windowDensity({ first_at, last_at, rows }: WebhookWindow): number | null {
  return first_at !== null && last_at !== null && last_at > first_at ? rows / (last_at - first_at) : null;
}

function windowEnd(window: WebhookWindow, now: number): number {
  const bound = window.until === null ? now : Math.min(now, endOfDayInAllZones(window.until));
  return window.meets === null ? bound : Math.min(bound, window.meets);
}

/**
 * Estimates the number of rows left in a window from its row density so far and, if known, the density of the range after
 * it.
 */
export function estimateWindowRowsLeft(
  window: WebhookWindow,
  now: number,
  nextDensity: number | null = null,
): number {
  if (window.done || window.last_at === null) return 0;
  const own = windowDensity(window) ?? nextDensity ?? 0;
  return (Math.max(0, windowEnd(window, now) - window.last_at) * (own + (nextDensity ?? own))) / 2;
}

/**
 * Estimates the number of rows left in all windows. A growing site has more rows per day later, so the next window's
 * density is used for a window's end. `newest` is the density at the end of the log, in rows per millisecond.
 */
export function estimateTotalRowsLeft(
  windows: readonly WebhookWindow[],
  now: number,
  newest: number | null,
): number {
  const inOrder = windows.toSorted((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  return inOrder.reduce((sum, window, at) => {
    const next = inOrder[at + 1];
    const behind = next === undefined ? newest : (windowDensity(next) ?? newest);
    return sum + estimateWindowRowsLeft(window, now, behind);
  }, 0);
}

/**
 * Maximum share of all requests that may be spent on splitting windows. Each split costs up to one request. Chosen by
 * judgment.
 */
const MAX_SPLIT_REQUEST_SHARE = 0.03;
/** Minimum number of pages left in a window for a split to be worthwhile. Chosen by judgment. */
const MIN_SPLIT_PAGES = 16;

/**
 * Splits the window with the most rows left, so that an idle worker can read its later half, which gets the given key.
 * Returns null if a split is not worthwhile. An earlier last day does not change the pages before it.
 */
export function splitLargestWindow(
  windows: readonly WebhookWindow[],
  now: number,
  rowsPerPage: number,
  key: string,
): { kept: WebhookWindow; added: WebhookWindow } | null {
  const seen = windows.reduce((sum, window) => sum + window.rows, 0);
  const open = windows.filter((window) => !window.done && window.last_at !== null);
  const left = open.map((window) => estimateWindowRowsLeft(window, now));
  const pages = (seen + left.reduce((sum, rows) => sum + rows, 0)) / rowsPerPage;
  if (windows.length >= 1 + Math.floor(pages * MAX_SPLIT_REQUEST_SHARE)) return null;

  const most = left.indexOf(Math.max(...left));
  const window = open[most];
  if (window === undefined || window.last_at === null) return null;
  if ((left[most] as number) / rowsPerPage < MIN_SPLIT_PAGES) return null;
  const day = findDayBetween(window.last_at, windowEnd(window, now));
  if (day === null) return null;
  const since = addDays(day, 1);
  return {
    kept: { ...window, until: day, meets: null },
    added: createWebhookWindow(key, since, window.until, window.meets),
  };
}
