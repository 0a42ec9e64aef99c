import { addDays, dayBetween, earliestDay, endOfDay } from '../shared/any-zone.ts';
import type { PageAsk } from '../shared/pages.ts';
import type { PageMarks } from './page-fingerprints.ts';

/**
 * A range of the webhook log that is read oldest first. `created_at` never changes and rows are only appended, so the
 * first n rows of a window stay its first n. A window can therefore be read beside others, interrupted and resumed
 * without skipping rows. Neighbors share no day and leave none out, whatever zone the service uses.
 */
export interface Window {
  key: string;
  /** First and last day, inclusive. Null is unbounded. */
  since: string | null;
  until: string | null;
  /**
   * UTC milliseconds. The window may end once a row created after this was seen, because newer rows are already stored.
   * Null: only its own end counts.
   */
  meets: number | null;
  /** Number of rows read from its beginning. */
  rows: number;
  /** `created_at` of the first and last row seen, in UTC milliseconds. */
  first_at: number | null;
  last_at: number | null;
  done: boolean;
  /** For closed days: the page fingerprints so far. Null if the pages were inconsistent. */
  marks?: PageMarks | null;
}

export function openWindow(
  key: string,
  since: string | null,
  until: string | null,
  meets: number | null,
): Window {
  return { key, since, until, meets, rows: 0, first_at: null, last_at: null, done: false };
}

/** Returns the next page to read for any page size. It may begin with rows that were already read. */
export function nextPage({ rows }: Window, rowsPerPage: number): PageAsk {
  return { page: Math.floor(rows / rowsPerPage) + 1, per_page: rowsPerPage };
}

/** Returns the window from its current day on as a new window, with its row count reset. */
export function fromItsDay(window: Window): Window {
  const { since, last_at } = window;
  if (last_at === null) return window;
  const day = earliestDay(last_at);
  return {
    ...window,
    since: since !== null && since > day ? since : day,
    ...{ rows: 0, first_at: null, last_at: null },
  };
}

/** Returns the number of rows before a page. */
export function firstOf({ page, per_page }: PageAsk): number {
  return (page - 1) * per_page;
}

/**
 * Returns the window after its first `rows` rows were read. `created` are the timestamps of the last page in order.
 * `last` means that nothing follows.
 */
export function walked(window: Window, rows: number, created: readonly number[], last: boolean): Window {
  const first_at = window.first_at ?? created[0] ?? null;
  const last_at = created.at(-1) ?? window.last_at;
  const now = { ...window, rows, first_at, last_at };
  return { ...now, done: last || hasMet(now) };
}

/** Returns true if a row newer than the window's `meets` was seen. */
export function hasMet({ meets, last_at }: Window): boolean {
  return meets !== null && last_at !== null && last_at > meets;
}

/** Returns true if more rows must follow because a newer row is stored. */
export function mustGoOn({ meets, last_at }: Window): boolean {
  return meets !== null && last_at !== null && last_at < meets;
}

/** Returns rows per millisecond if the window shows it, else null. */
function density({ first_at, last_at, rows }: Window): number | null {
  return first_at !== null && last_at !== null && last_at > first_at ? rows / (last_at - first_at) : null;
}

function end(window: Window, now: number): number {
  const bound = window.until === null ? now : Math.min(now, endOfDay(window.until));
  return window.meets === null ? bound : Math.min(bound, window.meets);
}

/**
 * Returns the estimated number of rows left in a window, from its density so far and, if known, that of the range after
 * it.
 */
export function rowsLeft(window: Window, now: number, behind: number | null = null): number {
  if (window.done || window.last_at === null) return 0;
  const own = density(window) ?? behind ?? 0;
  return (Math.max(0, end(window, now) - window.last_at) * (own + (behind ?? own))) / 2;
}

/**
 * Returns the estimated number of rows left in all windows. A growing site has more rows later: the next window shows how
 * dense a window's end is, and `newest` (rows per millisecond) how dense the log's end is.
 */
export function rowsAhead(windows: readonly Window[], now: number, newest: number | null): number {
  const inOrder = windows.toSorted((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  return inOrder.reduce((sum, window, at) => {
    const next = inOrder[at + 1];
    const behind = next === undefined ? newest : (density(next) ?? newest);
    return sum + rowsLeft(window, now, behind);
  }, 0);
}

/**
 * Another window costs up to one request. Maximum share of all requests that may be spent this way. Chosen by judgment.
 */
const SHARE = 0.03;
/** Minimum number of pages left in a window for a split to pay off. Chosen by judgment. */
const WORTH_PAGES = 16;

/**
 * Splits the window with the most work left, so that an idle worker reads its later half under the name `key`. Returns
 * null if that would not pay off. Lowering `until` does not change the pages before it.
 */
export function split(
  windows: readonly Window[],
  now: number,
  rowsPerPage: number,
  key: string,
): { kept: Window; added: Window } | null {
  const seen = windows.reduce((sum, window) => sum + window.rows, 0);
  const open = windows.filter((window) => !window.done && window.last_at !== null);
  const left = open.map((window) => rowsLeft(window, now));
  const pages = (seen + left.reduce((sum, rows) => sum + rows, 0)) / rowsPerPage;
  if (windows.length >= 1 + Math.floor(pages * SHARE)) return null;

  const most = left.indexOf(Math.max(...left));
  const window = open[most];
  if (window === undefined || window.last_at === null) return null;
  if ((left[most] as number) / rowsPerPage < WORTH_PAGES) return null;
  const day = dayBetween(window.last_at, end(window, now));
  if (day === null) return null;
  const since = addDays(day, 1);
  return {
    kept: { ...window, until: day, meets: null },
    added: openWindow(key, since, window.until, window.meets),
  };
}
