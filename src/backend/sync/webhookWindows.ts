import { commit } from '../store/database.ts';
import { dropUnit, saveUnit, unitsOf } from '../store/syncUnit.ts';
import { poisonOf } from './pages.ts';
import { type Filter, lostRow, type ReadPage, type WebhookLog } from './webhookLog.ts';
import { openWindow, rowsLeft, split, type Window, walked } from './window.ts';
import { AT_ONCE, createWorkers } from './workers.ts';

/** A row that the service did not give: asked for alone the next time. */
interface LostRow {
  filter: Filter;
  index: number;
  place: string;
}

function saveWindow({ context }: WebhookLog, window: Window): void {
  saveUnit(context.site.cache, 'webhooks', {
    unit: window.key,
    state: window.done ? 'done' : 'open',
    checkpoint: window,
    updated_at: context.now(),
  });
}

/** Adds a window, to be walked. To be called inside `commit`; the log's state is to be saved with it. */
export function beginWindow(log: WebhookLog, since: string | null, meets: number | null): Window {
  const number = log.state.windows + 1;
  log.state = { ...log.state, windows: number };
  const window = openWindow(windowKey(number), since, null, meets);
  saveWindow(log, window);
  return window;
}

const windowKey = (number: number) => `window ${String(number).padStart(6, '0')}`;

export function dropWindows({ context }: WebhookLog): void {
  const { cache } = context.site;
  for (const { unit } of unitsOf(cache, 'webhooks')) dropUnit(cache, 'webhooks', unit);
}

export function windowsOf({ context }: WebhookLog): Window[] {
  return unitsOf<Window>(context.site.cache, 'webhooks')
    .filter((unit) => unit.unit.startsWith('window '))
    .map((unit) => unit.checkpoint);
}

/** Whether every window is walked to its end and no row of it is missing. */
export function allWalked(log: WebhookLog): boolean {
  return unitsOf(log.context.site.cache, 'webhooks').every((unit) => unit.state === 'done');
}

/**
 * Walks the windows that are open: beside one another, each page by page, the next page on its way while one is stored.
 * An idle walker takes the later half of the window with most to do.
 */
export async function walkWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const windows = new Map(windowsOf(log).map((window) => [window.key, window]));
  const walking = new Set<string>();
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);

  function half(): Window | null {
    const name = windowKey(log.state.windows + 1);
    const halves = split([...windows.values()], log.serviceNow(), log.perPage(), name);
    if (halves === null) return null;
    commit(log.context.site.cache, () => {
      log.save({ windows: log.state.windows + 1 });
      for (const window of [halves.kept, halves.added]) {
        saveWindow(log, window);
        windows.set(window.key, window);
      }
    });
    return halves.added;
  }

  const walkers = createWorkers(
    AT_ONCE,
    () => {
      const window = [...windows.values()].find((each) => !each.done && !walking.has(each.key)) ?? half();
      if (window === null) return null;
      walking.add(window.key);
      return () => walkWindow(log, windows, window.key, ends, walkers.wake);
    },
    () => stop.abort(),
  );
  await walkers.run();
}

async function walkWindow(
  log: WebhookLog,
  windows: Map<string, Window>,
  key: string,
  signal: AbortSignal,
  stored: () => void,
): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const at = () => windows.get(key) as Window;
  const fetch = (page: number) => {
    const reading = log.read(filterOf(at()), page, signal);
    // It may fail while its forerunner is being stored; then it is heard of when its turn comes.
    reading.catch(() => {});
    return reading;
  };

  let ahead: Promise<ReadPage> | null = null;
  let before: ReadPage | null = null;
  while (!at().done) {
    const window = at();
    const read: ReadPage = await (ahead ?? fetch(window.next_page));
    if (before !== null && read.rows > 0) log.learn(before.rows);
    before = read;
    const next = walked(window, read.rows, read.created, log.isLast(read.rows) === true);
    ahead = next.done ? null : fetch(next.next_page);

    const place = placeOf(window);
    log.store(read, place, () => {
      // It may have been halved while the page was on its way.
      const now = { ...next, until: at().until, meets: at().meets };
      windows.set(key, now);
      saveWindow(log, now);
      log.save({});
      for (const { index } of read.pieces.lost) saveLost(log, { filter: filterOf(window), index, place });
    });
    const { meets } = window;
    const overlap = meets === null ? 0 : read.created.filter((each) => each >= meets).length;
    learned.backfilled = (learned.backfilled ?? 0) + read.rows - overlap;
    learned.rowsPerPage = log.perPage();
    showProgress(log, [...windows.values()], read.created.at(-1) ?? null);
    context.tell('webhooks');
    stored();
  }
}

function filterOf({ since, until }: Window): Filter {
  return {
    order: 'oldest_first',
    ...(since === null ? {} : { since_date: since }),
    ...(until === null ? {} : { until_date: until }),
  };
}

function placeOf({ since, until }: Window): string {
  return `${since ?? 'the beginning'}..${until ?? 'now'}`;
}

function showProgress(log: WebhookLog, windows: readonly Window[], at: number | null): void {
  const left = windows.reduce((sum, window) => sum + rowsLeft(window, log.serviceNow(), 0), 0);
  const known = windows.every((window) => window.done || window.last_at !== null);
  log.context.job.progress('webhooks', {
    done: log.seen,
    total: known ? log.seen + Math.round(left) : null,
    current: at === null ? null : new Date(at).toISOString().slice(0, 10),
  });
}

function saveLost({ context }: WebhookLog, row: LostRow): void {
  saveUnit(context.site.cache, 'webhooks', {
    unit: lostRow(row.index, row.place),
    state: 'lost',
    checkpoint: row,
    updated_at: context.now(),
  });
}

/** Asks again for single rows that the service did not give before. */
export async function retryLostRows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { cache } = log.context.site;
  for (const unit of unitsOf<LostRow>(cache, 'webhooks')) {
    if (unit.state !== 'lost') continue;
    const { filter, index, place } = unit.checkpoint;
    try {
      log.store(await log.read(filter, index + 1, signal, 1), place, () => {
        dropUnit(cache, 'webhooks', unit.unit);
        log.problems.solve(unit.unit);
      });
    } catch (error) {
      if (poisonOf(error) === null) throw error;
      log.context.tally.failed++;
    }
  }
}
