import { commit } from '../store/database.ts';
import { unitsLeftBefore, unitsNamed } from '../store/sync/sync-marks.ts';
import { dropUnit, dropUnits, isEveryUnitDone, saveUnit } from '../store/sync/sync-unit.ts';
import { saveClosed } from './closed-window.ts';
import type { WebhookLog } from './webhook-log.ts';
import { fromItsDay, openWindow, type Window } from './window.ts';

/** A window that was left so long ago is gone on with from its day on, not from its place. */
const LEFT_LONG_MS = 12 * 3_600_000;

/** How the units of windows are called: those of what was not held, and those of closed days that are read again. */
const WINDOW = 'window ';
const CLOSED = 'again ';

/** Writes down how far a window is; inside `commit`, with the rows it accounts for. */
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

/** Adds a window, to be walked. To be called inside `commit`; the log's state is to be saved with it. */
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

/** Adds a window of days that are over, to be read again. To be called inside `commit`. */
export function beginClosed(log: WebhookLog, since: string, until: string): void {
  const window = openWindow(CLOSED + since, since, until, null);
  saveWindow(log, { ...window, marks: { per_page: log.perPage(), pages: [] } });
}

/** Whether a window is one of days that are over and are read again. */
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

/** Whether every window is walked to its end and no row of it is missing. */
export function allWalked(log: WebhookLog): boolean {
  return isEveryUnitDone(log.context.site.cache, 'webhooks');
}

/**
 * What was left long ago is gone on with from the day it stands at. The service keeps its log for a limited time: where it
 * deleted the oldest rows meanwhile, places counted from the beginning are those of other rows, and some would be passed by.
 */
export function goOnByDay(log: WebhookLog): void {
  const { site, now } = log.context;
  const left = unitsLeftBefore<Window>(site.cache, 'webhooks', WINDOW, now() - LEFT_LONG_MS);
  commit(site.cache, () => {
    for (const window of left) saveWindow(log, fromItsDay(window));
  });
}
