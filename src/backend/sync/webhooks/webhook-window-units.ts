import { runInTransaction } from '../../store/sqlite/connection.ts';
import { listCheckpointsBefore, listSyncCheckpointsByPrefix } from '../../store/sync/sync-checkpoints.ts';
import {
  isEverySyncUnitDone,
  removeSyncUnit,
  removeSyncUnits,
  saveSyncUnit,
} from '../../store/sync/sync-unit.ts';
import { saveClosedWebhookWindow } from './closed-webhook-window.ts';
import type { WebhookLog } from './webhook-log.ts';
import { createWebhookWindow, restartWindowAtCurrentDay, type WebhookWindow } from './webhook-window.ts';

/** Age in milliseconds from which an interrupted window resumes at the start of its current day, not its position. */
const OLD_WINDOW_MS = 12 * 3_600_000;

/** Prefixes of sync unit names: for windows of missing rows, and for closed windows that are read again. */
const WINDOW_PREFIX = 'window ';
const CLOSED_PREFIX = 'again ';

/** Saves a window's progress. If rows are stored with it, must be called in the same transaction. */
export function saveWebhookWindow(
  log: WebhookLog,
  window: WebhookWindow,
  state: 'open' | 'failed' = 'open',
): void {
  const { context } = log;
  const { cache } = context.site;
  if (window.done && isClosedWebhookWindow(window)) {
    saveClosedWebhookWindow(log, window);
    removeSyncUnit(cache, 'webhooks', window.key);
    return;
  }
  saveSyncUnit(cache, 'webhooks', {
    unit: window.key,
    state: window.done ? 'done' : state,
    checkpoint: window,
    updated_at: context.now(),
  });
}

/** Adds a window to read. Must be called in a transaction. The caller must save the log's state afterward. */
export function addWebhookWindow(
  log: WebhookLog,
  { since, until, meets }: Pick<WebhookWindow, 'since' | 'until' | 'meets'>,
): void {
  const number = log.state.windows + 1;
  log.state = { ...log.state, windows: number };
  saveWebhookWindow(log, createWebhookWindow(getWebhookWindowKey(number), since, until, meets));
}

/** Adds a closed window to read again. Must be called in a transaction. */
export function addClosedWebhookWindow(log: WebhookLog, since: string, until: string): void {
  const window = createWebhookWindow(CLOSED_PREFIX + since, since, until, null);
  saveWebhookWindow(log, { ...window, marks: { per_page: log.perPage(), pages: [] } });
}

/** Returns true if the window consists of closed days that are read again. */
export const isClosedWebhookWindow = ({ marks }: WebhookWindow) => marks !== undefined;

export const getWebhookWindowKey = (number: number) => `${WINDOW_PREFIX}${String(number).padStart(6, '0')}`;

export function deleteWebhookWindow({ context }: WebhookLog, { key }: WebhookWindow): void {
  removeSyncUnit(context.site.cache, 'webhooks', key);
}

export function deleteWebhookSyncUnits({ context }: WebhookLog): void {
  removeSyncUnits(context.site.cache, 'webhooks');
}

export function listWebhookWindows({ context }: WebhookLog): WebhookWindow[] {
  return [WINDOW_PREFIX, CLOSED_PREFIX].flatMap((kind) =>
    listSyncCheckpointsByPrefix<WebhookWindow>(context.site.cache, 'webhooks', kind),
  );
}

/** Returns true if every window was read to its end and no poison row is left. */
export function areAllWebhookSyncUnitsDone(log: WebhookLog): boolean {
  return isEverySyncUnitDone(log.context.site.cache, 'webhooks');
}

/** Resumes old windows at the start of their current day, because deletions may have shifted their position. */
export function resumeOldWindowsAtDayStart(log: WebhookLog): void {
  const { site, now } = log.context;
  const left = listCheckpointsBefore<WebhookWindow>(
    site.cache,
    'webhooks',
    WINDOW_PREFIX,
    now() - OLD_WINDOW_MS,
  );
  runInTransaction(site.cache, () => {
    for (const window of left) saveWebhookWindow(log, restartWindowAtCurrentDay(window));
  });
}
