import { BillingError } from '../../billing/index.ts';
import { commit } from '../store/database.ts';
import { dropUnit, saveUnit, unitsOf } from '../store/sync/syncUnit.ts';
import { bridges, isSamePage, MOST_BRIDGES, repeats } from './bridge.ts';
import { type PageAsk, poisonOf } from './pages.ts';
import { attempt } from './units.ts';
import { type Batch, createBatch } from './webhookBatch.ts';
import { type Filter, lostRow, type ReadPage, type WebhookLog } from './webhookLog.ts';
import { firstOf, nextPage, openWindow, rowsAhead, split, type Window, walked } from './window.ts';
import { AT_ONCE, createWorkers } from './workers.ts';

/** Readings of a page that comes as another one. */
const MOST_TRIES = 5;

/** The problem of a window that could not be walked to its end begins so. */
export const UNREAD_DAYS = 'webhooks from ';

/** A row that the service did not give: asked for alone the next time. */
interface LostRow {
  filter: Filter;
  index: number;
  place: string;
}

function saveWindow({ context }: WebhookLog, window: Window, state: 'open' | 'failed' = 'open'): void {
  saveUnit(context.site.cache, 'webhooks', {
    unit: window.key,
    state: window.done ? 'done' : state,
    checkpoint: window,
    updated_at: context.now(),
  });
}

/** Adds a window, to be walked. To be called inside `commit`; the log's state is to be saved with it. */
export function beginWindow(
  log: WebhookLog,
  since: string | null,
  meets: number | null,
  { key, until }: { key?: string; until: string | null } = { until: null },
): void {
  const number = log.state.windows + 1;
  if (key === undefined) log.state = { ...log.state, windows: number };
  saveWindow(log, openWindow(key ?? windowKey(number), since, until, meets));
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
  const batch = createBatch(log.context.site.cache, log.store);

  function half(): Window | null {
    const name = windowKey(log.state.windows + 1);
    const halves = split([...windows.values()], log.serviceNow(), log.perPage(), name);
    if (halves === null) return null;
    batch.flush();
    commit(log.context.site.cache, () => {
      log.save({ windows: log.state.windows + 1 });
      for (const window of [halves.kept, halves.added]) {
        saveWindow(log, window);
        windows.set(window.key, window);
      }
    });
    return halves.added;
  }

  /** A window that the service fails on stays where it is, for the next time. */
  async function walk({ key, since }: Window): Promise<void> {
    const place = `${UNREAD_DAYS}${since ?? 'the beginning'} on`;
    const done = await attempt(log.context, log.problems, place, () =>
      walkWindow(log, batch, windows, key, ends, walkers.wake),
    );
    batch.flush();
    if (!done) saveWindow(log, windows.get(key) as Window, 'failed');
  }

  const walkers = createWorkers(
    AT_ONCE,
    () => {
      const window = [...windows.values()].find((each) => !each.done && !walking.has(each.key)) ?? half();
      if (window === null) return null;
      walking.add(window.key);
      return () => walk(window);
    },
    () => stop.abort(),
  );
  try {
    await walkers.run();
  } finally {
    batch.flush();
  }
}

async function walkWindow(
  log: WebhookLog,
  batch: Batch,
  windows: Map<string, Window>,
  key: string,
  signal: AbortSignal,
  stored: () => void,
): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const at = () => windows.get(key) as Window;
  const fetch = (ask: PageAsk) => {
    const reading = log.read(filterOf(at()), ask, signal);
    // It may fail while its forerunner is being stored; then it is heard of when its turn comes.
    reading.catch(() => {});
    return { ask, reading };
  };

  let next = fetch(nextPage(at(), log.perPage()));
  let before: ReadPage | null = null;
  while (!at().done) {
    const window = at();
    const { ask } = next;
    const read = await notAgain(log, window, before, ask, await next.reading, signal);
    if (before !== null && read.rows > 0) log.learn(before.rows);
    const last = log.isLast(read.rows);
    const now = walked(window, firstOf(ask) + read.rows, read.created, last === true);
    // Where it is not known whether a page was the last, its own length is the size that tells.
    if (!now.done) next = fetch(nextPage(now, last === 'unsure' ? read.rows : log.perPage()));
    const joined = before !== null && firstOf(ask) === window.rows;
    const bridged = joined ? await bridge(log, window, before as ReadPage, read, signal) : [];
    before = read;

    const place = placeOf(window);
    // It may have been halved while the page was on its way.
    const kept = { ...now, until: at().until, meets: at().meets };
    windows.set(key, kept);
    batch.add(read, place, () => {
      for (const each of bridged) log.store(each, place);
      saveWindow(log, kept);
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

/** The page, read again where what came is the one before it or older than what is read already. */
async function notAgain(
  log: WebhookLog,
  window: Window,
  before: ReadPage | null,
  ask: PageAsk,
  first: ReadPage,
  signal: AbortSignal,
): Promise<ReadPage> {
  let read = first;
  for (let tries = 1; isStale(window, before, ask, read); tries++) {
    if (tries === MOST_TRIES) {
      throw new BillingError('service', 'The service keeps giving the same page of webhooks for another.', {
        hint: 'What is held stays; try again later.',
        retryable: true,
      });
    }
    read = await log.read(filterOf(window), ask, signal);
  }
  return read;
}

function isStale(window: Window, before: ReadPage | null, ask: PageAsk, read: ReadPage): boolean {
  if (before !== null && isSamePage(before.ids, read.ids)) return true;
  const overlapping = firstOf(ask) < window.rows;
  const [first] = read.created;
  return !overlapping && first !== undefined && window.last_at !== null && first < window.last_at;
}

/** Where two pages share a row, others of that moment may have got between them: pages that have the place within them. */
async function bridge(
  log: WebhookLog,
  window: Window,
  before: ReadPage,
  after: ReadPage,
  signal: AbortSignal,
): Promise<ReadPage[]> {
  if (!repeats(before.ids, after.ids)) return [];
  const read: ReadPage[] = [];
  const ids = new Set([...before.ids, ...after.ids]);
  const wanted = before.ids.length + after.ids.length;
  for (const ask of bridges(window.rows, log.perPage()).slice(0, MOST_BRIDGES)) {
    const page = await log.read(filterOf(window), ask, signal);
    read.push(page);
    for (const id of page.ids) ids.add(id);
    if (ids.size >= wanted) break;
  }
  return read;
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
  const left = rowsAhead(windows, log.serviceNow(), log.newestDensity);
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
      log.store(await log.read(filter, { page: index + 1, per_page: 1 }, signal), place, () => {
        dropUnit(cache, 'webhooks', unit.unit);
        log.problems.solve(unit.unit);
      });
    } catch (error) {
      if (poisonOf(error) === null) throw error;
      log.context.tally.failed++;
    }
  }
}
