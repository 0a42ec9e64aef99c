import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../../shared/worker-pool.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { type PageAsk, samePage } from '../shared/pages.ts';
import { attempt } from '../shared/units.ts';
import { closedWindows, isAsItWas, markOf, withMark } from './closed-window.ts';
import { type Batch, createBatch } from './webhook-batch.ts';
import { beginAnew } from './webhook-beginning.ts';
import type { ReadPage, WebhookLog } from './webhook-log.ts';
import { saveLost } from './webhook-lost.ts';
import { firstOf, hasMet, mustGoOn, nextPage, rowsAhead, split, type Window, walked } from './window.ts';
import { arePagesLonger, bridge, filterOf, inStep, sizeUp } from './window-pages.ts';
import { goOnByDay, isOfClosed, saveWindow, windowKey, windowsOf } from './window-units.ts';

/** The remaining rows are estimated only if they are less than this multiple of the rows read. */
const FARTHEST = 20;
/** Maximum number of walks of a window that seemed to end because pages became shorter. */
const MOST_WALKS = 3;

/** Prefix of the problem of a window that could not be read to its end. */
export const UNREAD_DAYS = 'webhooks from ';
const PAGE_SIZE = 'how many webhooks a page has';

/**
 * Reads the open windows in parallel, each page by page, prefetching the next page while one is stored. An idle worker
 * takes the later half of the window with the most work left.
 */
export async function walkWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  goOnByDay(log);
  const begun = windowsOf(log).find(({ since, until, done }) => since === null && until === null && !done);
  await walkOpen(log, signal);
  const first = windowsOf(log).find(({ key, done }) => done && key === begun?.key);
  if (first === undefined) return;
  const anew = await beginAnew(log, first, windowKey(log.state.windows + 1), signal);
  if (anew === null) return;
  commit(log.context.site.cache, () => {
    log.save({ windows: log.state.windows + 1 });
    for (const window of [anew.rest, anew.oldest]) saveWindow(log, window);
  });
  await walkOpen(log, signal);
}

async function walkOpen(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const windows = new Map(windowsOf(log).map((window) => [window.key, window]));
  const walking = new Set<string>();
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const batch = createBatch(log.context.site.cache, log.store);
  const doubtful: Doubtful[] = [];

  function half(): Window | null {
    const name = windowKey(log.state.windows + 1);
    const open = [...windows.values()].filter((window) => !isOfClosed(window));
    const halves = split(open, log.serviceNow(), log.perPage(), name);
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

  /** Leaves a window that the service fails on at its position, for the next run. */
  async function walk({ key, since }: Window): Promise<void> {
    const place = `${UNREAD_DAYS}${since ?? 'the beginning'} on`;
    const done = await attempt(log.context, log.problems, place, () =>
      walkWindow(log, batch, windows, key, ends, {
        stored: walkers.wake,
        doubt: (end) => doubtful.push(end),
      }),
    );
    batch.flush();
    if (!done) saveWindow(log, windows.get(key) as Window, 'failed');
  }

  const walkers = createWorkerPool(
    MAX_CONCURRENT_REQUESTS,
    () => {
      const window = [...windows.values()].find((each) => !each.done && !walking.has(each.key)) ?? half();
      if (window === null) return null;
      walking.add(window.key);
      return () => walk(window);
    },
    () => stop.abort(),
  );
  for (let walk = 1; ; walk++) {
    try {
      await walkers.run();
    } finally {
      batch.flush();
    }
    if (doubtful.length === 0) return;
    const sure = await attempt(log.context, log.problems, PAGE_SIZE, async () => {
      const longer = await arePagesLonger(
        log,
        doubtful.map(({ page }) => page),
        signal,
      );
      if (!longer && walk === MOST_WALKS) throw samePage('webhooks');
      commit(log.context.site.cache, () => {
        for (const { after, before } of doubtful) {
          const window = longer ? after : before;
          windows.set(window.key, window);
          if (!longer) walking.delete(window.key);
          saveWindow(log, window);
        }
      });
      if (longer) doubtful.length = 0;
    });
    if (!sure || doubtful.length === 0) return;
    doubtful.length = 0;
  }
}

/**
 * A window that seems to have ended because its last page was shorter than others: its state before and after that page.
 */
interface Doubtful {
  readonly before: Window;
  readonly after: Window;
  readonly page: ReadPage;
}

async function walkWindow(
  log: WebhookLog,
  batch: Batch,
  windows: Map<string, Window>,
  key: string,
  signal: AbortSignal,
  { stored, doubt }: { stored: () => void; doubt: (end: Doubtful) => void },
): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const at = () => windows.get(key) as Window;
  const fetch = (ask: PageAsk) => {
    const reading = log.read(filterOf(at()), ask, signal);
    // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
    reading.catch(() => {});
    return { ask, reading };
  };

  const { since, until } = at();
  const closed = isOfClosed(at()) ? closedWindows(log) : [];
  const known = closed.find((each) => each.since === since && each.until === until);
  await sizeUp(log, at(), signal);
  let next = fetch(nextPage(at(), log.perPage()));
  let before: ReadPage | null = null;
  while (!at().done) {
    const window = at();
    const { ask, read } = await inStep(log, window, before, next.ask, await next.reading, signal);
    if (before !== null && read.rows > 0) log.learn(before.rows);
    let last = log.isLast(read.rows);
    let now = walked(window, firstOf(ask) + read.rows, read.created, last === true);
    if (last === true && read.rows > 0 && mustGoOn(now)) {
      log.unlearn();
      last = 'unsure';
      now = { ...now, done: false };
    }
    // If it is unknown whether a page was the last, its own length is used as the page size.
    if (!now.done) next = fetch(nextPage(now, last === 'unsure' ? read.rows : log.perPage()));
    const joined = before !== null && firstOf(ask) === window.rows;
    const bridged = joined ? await bridge(log, window, before as ReadPage, read, signal) : [];
    before = read;

    const place = placeOf(window);
    // Another worker may have split the window while the page was being read.
    const bounds = { until: at().until, meets: at().meets };
    const mark = isOfClosed(window) ? markOf(read) : null;
    const kept = { ...now, ...bounds, ...(window.marks ? { marks: withMark(window.marks, ask, mark) } : {}) };
    windows.set(key, kept);
    const isSure = !kept.done || hasMet(now) || read.rows === 0 || log.isSureEnd(read);
    const sure = isSure ? kept : { ...window, ...bounds };
    if (!isSure) doubt({ before: sure, after: kept, page: read });
    const same = isAsItWas(context.site.cache, known, ask, mark, read.ids);
    batch.add(same ? nothingOf(read) : read, place, () => {
      if (same) log.problems.solveRows('webhooks', read.ids, new Set());
      for (const each of bridged) log.store(each, place);
      saveWindow(log, sure);
      log.save({});
      saveLost(log, read, { filter: filterOf(window), location: place, from: window.last_at });
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

/** Returns a page of which nothing is to be stored. */
function nothingOf(page: ReadPage): ReadPage {
  return { ...page, pieces: { answers: [], lost: [] } };
}

function placeOf({ since, until }: Window): string {
  return `the log from ${since ?? 'its beginning'} to ${until ?? 'now'}`;
}

function showProgress(log: WebhookLog, windows: readonly Window[], at: number | null): void {
  const left = rowsAhead(windows, log.serviceNow(), log.newestDensity);
  const known = windows.every((window) => window.done || window.last_at !== null);
  if (known && left < log.seen * FARTHEST) log.expected = rounded(log.seen + left);
  const total = log.expected === null ? null : Math.max(log.seen, log.expected);
  log.context.job.progress('webhooks', {
    done: log.seen,
    total,
    estimated: true,
    current: at === null ? null : new Date(at).toISOString().slice(0, 10),
  });
}

/** Rounds an estimate to two digits. */
function rounded(rows: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1);
  return Math.round(rows / step) * step;
}
