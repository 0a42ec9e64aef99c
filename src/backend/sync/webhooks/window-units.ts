import { commit } from '../../store/sqlite/connection.ts';
import { unitsLeftBefore, unitsNamed } from '../../store/sync/sync-marks.ts';
import { dropUnit, dropUnits, isEveryUnitDone, saveUnit } from '../../store/sync/sync-unit.ts';
import { saveClosed } from './closed-window.ts';
import type { WebhookLog } from './webhook-log.ts';
import { fromItsDay, openWindow, type Window } from './window.ts';

/** Age in milliseconds from which an interrupted window resumes at its day, not at its position. */
const LEFT_LONG_MS = 12 * 3_600_000;

/** Name prefixes of window units: missing rows, and closed days that are read again. */
const WINDOW = 'window ';
const CLOSED = 'again ';

/** Saves a window's progress. Inside `commit`, together with the rows that it covers. */
export function saveWindow(log: WebhookLog, window: Window, state: 'open' | 'failed' = 'open'): void {
  const { context } = log;
  const { cache } = context.site;
  if (window.done && isOfClosed(window)) {
    saveClosed(log, window);
    dropUnit(cache, 'webhooks', window.key);
    return;
  }
  saveUnit(cache, 'webhooks', {
    unit: window.key,
    state: window.done ? 'done' : state,
    checkpoint: window,
    updated_at: context.now(),
  });
}

/** Adds a window to read. Must be called inside `commit`, followed by saving the log's state. */
export function beginWindow(
  log: WebhookLog,
  {
    since,
    until = null,
    meets = null,
  }: { since: string | null; until?: string | null; meets?: number | null },
): void {
  const number = log.state.windows + 1;
  log.state = { ...log.state, windows: number };
  saveWindow(log, openWindow(windowKey(number), since, until, meets));
}

/** Adds a closed window to read again. Must be called inside `commit`. */
export function beginClosed(log: WebhookLog, since: string, until: string): void {
  const window = openWindow(CLOSED + since, since, until, null);
  saveWindow(log, { ...window, marks: { per_page: log.perPage(), pages: [] } });
}

/** Returns true for a window of closed days that is read again. */
export const isOfClosed = ({ marks }: Window) => marks !== undefined;

export const windowKey = (number: number) => `${WINDOW}${String(number).padStart(6, '0')}`;

export function dropWindow({ context }: WebhookLog, { key }: Window): void {
  dropUnit(context.site.cache, 'webhooks', key);
}

export function dropWindows({ context }: WebhookLog): void {
  dropUnits(context.site.cache, 'webhooks');
}

export function windowsOf({ context }: WebhookLog): Window[] {
  return [WINDOW, CLOSED].flatMap((kind) => unitsNamed<Window>(context.site.cache, 'webhooks', kind));
}

/** Returns true if every window was read to its end and no row is missing. */
export function allWalked(log: WebhookLog): boolean {
  return isEveryUnitDone(log.context.site.cache, 'webhooks');
}

/**
 * Makes old interrupted windows resume at their day. The service keeps its log for a limited time: if it has deleted the
 * oldest rows meanwhile, positions counted from the beginning mean other rows, and some would be skipped.
 */
export function goOnByDay(log: WebhookLog): void {
  const { site, now } = log.context;
  const left = unitsLeftBefore<Window>(site.cache, 'webhooks', WINDOW, now() - LEFT_LONG_MS);
  commit(site.cache, () => {
    for (const window of left) saveWindow(log, fromItsDay(window));
  });
}
