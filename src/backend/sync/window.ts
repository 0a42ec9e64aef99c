import { addDays, dayBetween, earliestDay, endOfDay } from './any-zone.ts';
import type { PageMarks } from './closed-window.ts';
import type { PageAsk } from './pages.ts';

/**
 * A stretch of the webhook log walked oldest first. created_at never changes and rows only join at the end, so the first n
 * rows of a window stay its first n: it can be walked beside others, stopped and gone on with, without a skip. Neighbours
 * share no day and leave none out, in whatever zone the service counts days.
 */
export interface Window {
  key: string;
  /** Days asked for, both included; null: open to that side. */
  since: string | null;
  until: string | null;
  /** It may end once a row created after this was seen, because what is newer is held already; null: only its own end counts. */
  meets: number | null;
  /** How many of its rows, from its beginning, are read. */
  rows: number;
  /** created_at of the first and the last row seen, ms UTC. */
  first_at: number | null;
  last_at: number | null;
  done: boolean;
  /** Of days that are over and are read again: what their pages are like, as far as they are read; null: they were not in step. */
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

/** The page to read next, whatever the size of those before it: it may begin with rows that are read already. */
export function nextPage({ rows }: Window, rowsPerPage: number): PageAsk {
  return { page: Math.floor(rows / rowsPerPage) + 1, per_page: rowsPerPage };
}

/** The window from the day on that it stands at, as one that is to be begun: its rows are counted anew. */
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

/** Where in its list a page begins: how many rows stand before it. */
export function firstOf({ page, per_page }: PageAsk): number {
  return (page - 1) * per_page;
}

/** The window once its first `rows` rows are read. `created` are the last page's moments in order; `last`: nothing follows. */
export function walked(window: Window, rows: number, created: readonly number[], last: boolean): Window {
  const first_at = window.first_at ?? created[0] ?? null;
  const last_at = created.at(-1) ?? window.last_at;
  const now = { ...window, rows, first_at, last_at };
  return { ...now, done: last || hasMet(now) };
}

/** Whether a row was seen that is newer than where it may end. */
export function hasMet({ meets, last_at }: Window): boolean {
  return meets !== null && last_at !== null && last_at > meets;
}

/** Whether rows must still come: one is held that is newer than all that were seen. */
export function mustGoOn({ meets, last_at }: Window): boolean {
  return meets !== null && last_at !== null && last_at < meets;
}

/** Rows a ms where the window has shown it; else null. */
function density({ first_at, last_at, rows }: Window): number | null {
  return first_at !== null && last_at !== null && last_at > first_at ? rows / (last_at - first_at) : null;
}

function end(window: Window, now: number): number {
  const bound = window.until === null ? now : Math.min(now, endOfDay(window.until));
  return window.meets === null ? bound : Math.min(bound, window.meets);
}

/** Rows a window has still to bring, as far as its density so far tells, and that of what comes behind it where known. */
export function rowsLeft(window: Window, now: number, behind: number | null = null): number {
  if (window.done || window.last_at === null) return 0;
  const own = density(window) ?? behind ?? 0;
  return (Math.max(0, end(window, now) - window.last_at) * (own + (behind ?? own))) / 2;
}

/**
 * Rows that windows have still to bring. A site that grows has more of them the later it is: what a window leads on to tells
 * how dense its end is, and `newest`, in rows a ms, how dense the log's own end is.
 */
export function rowsAhead(windows: readonly Window[], now: number, newest: number | null): number {
  const inOrder = windows.toSorted((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  return inOrder.reduce((sum, window, at) => {
    const next = inOrder[at + 1];
    const behind = next === undefined ? newest : (density(next) ?? newest);
    return sum + rowsLeft(window, now, behind);
  }, 0);
}

/** Another window costs up to one request; this share of all requests may be spent so. */
const SHARE = 0.03;
/** Pages a window must still have for its half to be worth another's while. */
const WORTH_PAGES = 16;

/**
 * Splits the window with most still to do, so that an idle worker walks its later half, under the name `key`; null
 * where that would not pay. Lowering `until` leaves the pages before it as they are.
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
