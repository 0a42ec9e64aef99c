import { createWorkerPool, MAX_CONCURRENT_REQUESTS } from '../../shared/worker-pool.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { type PageRequest, repeatedPageError } from '../shared/page-parts.ts';
import { attemptSyncUnit } from '../shared/unit-failures.ts';
import { appendFingerprint, fingerprintOfPage, isPageUnchanged, listClosedWindows } from './closed-window.ts';
import { findWindowsAfterDeletion } from './deleted-log-start.ts';
import { savePoisonRows } from './poison-rows.ts';
import { createWebhookBatch, type WebhookBatch } from './webhook-batch.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import {
  estimateTotalRowsLeft,
  hasReachedStoredRows,
  mustHaveMoreRows,
  nextWindowPage,
  rowsBeforePage,
  splitLargestWindow,
  type WebhookWindow,
  webhookWindowAfterPage,
} from './webhook-window.ts';
import {
  arePagesLonger,
  learnWindowPageSize,
  readPageBoundary,
  rereadStalePage,
  webhookWindowFilter,
} from './window-pages.ts';
import {
  isClosedWindow,
  listWebhookWindows,
  resumeOldWindowsAtDay,
  saveWebhookWindow,
  webhookWindowKey,
} from './window-units.ts';

/** The number of remaining rows is shown only if it is estimated at less than this multiple of the rows read. */
const MAX_ESTIMATE_FACTOR = 20;
/** Maximum number of times windows are read that seemed to end early because pages had become shorter. */
const MAX_READS = 3;

/** Location prefix for problems of windows that could not be read to their end. */
export const UNREAD_WINDOW_PREFIX = 'webhooks from ';
const PAGE_SIZE_LOCATION = 'the page size of the webhook log';

/**
 * Reads all unfinished windows in parallel, each page by page, prefetching the next page while one is stored. An idle
 * worker takes over the later half of the window with the most rows left.
 */
export async function readWebhookWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  resumeOldWindowsAtDay(log);
  const begun = listWebhookWindows(log).find(
    ({ since, until, done }) => since === null && until === null && !done,
  );
  await readOpenWindows(log, signal);
  const first = listWebhookWindows(log).find(({ key, done }) => done && key === begun?.key);
  if (first === undefined) return;
  const windowsAfterDeletion = await findWindowsAfterDeletion(
    log,
    first,
    webhookWindowKey(log.state.windows + 1),
    signal,
  );
  if (windowsAfterDeletion === null) return;
  commit(log.context.site.cache, () => {
    log.save({ windows: log.state.windows + 1 });
    for (const window of [windowsAfterDeletion.rest, windowsAfterDeletion.oldest])
      saveWebhookWindow(log, window);
  });
  await readOpenWindows(log, signal);
}

async function readOpenWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const windows = new Map(listWebhookWindows(log).map((window) => [window.key, window]));
  const started = new Set<string>();
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const batch = createWebhookBatch(log.context.site.cache, log.store);
  const uncertainEnds: UncertainEnd[] = [];

  function splitWindow(): WebhookWindow | null {
    const name = webhookWindowKey(log.state.windows + 1);
    const open = [...windows.values()].filter((window) => !isClosedWindow(window));
    const halves = splitLargestWindow(open, log.serviceNow(), log.perPage(), name);
    if (halves === null) return null;
    batch.flush();
    commit(log.context.site.cache, () => {
      log.save({ windows: log.state.windows + 1 });
      for (const window of [halves.kept, halves.added]) {
        saveWebhookWindow(log, window);
        windows.set(window.key, window);
      }
    });
    return halves.added;
  }

  /** Reads a window. If the service fails on it, saves the position for the next sync. */
  async function walk({ key, since }: WebhookWindow): Promise<void> {
    const place = `${UNREAD_WINDOW_PREFIX}${since ?? 'the beginning'} on`;
    const done = await attemptSyncUnit(log.context, log.problems, place, () =>
      readWindow(log, batch, windows, key, ends, {
        stored: workers.wake,
        doubt: (end) => uncertainEnds.push(end),
      }),
    );
    batch.flush();
    if (!done) saveWebhookWindow(log, windows.get(key) as WebhookWindow, 'failed');
  }

  const workers = createWorkerPool(
    MAX_CONCURRENT_REQUESTS,
    () => {
      const window =
        [...windows.values()].find((each) => !each.done && !started.has(each.key)) ?? splitWindow();
      if (window === null) return null;
      started.add(window.key);
      return () => walk(window);
    },
    () => stop.abort(),
  );
  for (let walk = 1; ; walk++) {
    try {
      await workers.run();
    } finally {
      batch.flush();
    }
    if (uncertainEnds.length === 0) return;
    const sure = await attemptSyncUnit(log.context, log.problems, PAGE_SIZE_LOCATION, async () => {
      const longer = await arePagesLonger(
        log,
        uncertainEnds.map(({ page }) => page),
        signal,
      );
      if (!longer && walk === MAX_READS) throw repeatedPageError('webhooks');
      commit(log.context.site.cache, () => {
        for (const { after, before } of uncertainEnds) {
          const window = longer ? after : before;
          windows.set(window.key, window);
          if (!longer) started.delete(window.key);
          saveWebhookWindow(log, window);
        }
      });
      if (longer) uncertainEnds.length = 0;
    });
    if (!sure || uncertainEnds.length === 0) return;
    uncertainEnds.length = 0;
  }
}

/**
 * A window that may have ended because its last page was shorter than others, with its state before and after that page.
 */
interface UncertainEnd {
  readonly before: WebhookWindow;
  readonly after: WebhookWindow;
  readonly page: WebhookPage;
}

async function readWindow(
  log: WebhookLog,
  batch: WebhookBatch,
  windows: Map<string, WebhookWindow>,
  key: string,
  signal: AbortSignal,
  { stored, doubt }: { stored: () => void; doubt: (end: UncertainEnd) => void },
): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.minimumInputs;
  const at = () => windows.get(key) as WebhookWindow;
  const fetch = (ask: PageRequest) => {
    const reading = log.read(webhookWindowFilter(at()), ask, signal);
    // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
    reading.catch(() => {});
    return { ask, reading };
  };

  const { since, until } = at();
  const closed = isClosedWindow(at()) ? listClosedWindows(log) : [];
  const known = closed.find((each) => each.since === since && each.until === until);
  await learnWindowPageSize(log, at(), signal);
  let next = fetch(nextWindowPage(at(), log.perPage()));
  let before: WebhookPage | null = null;
  while (!at().done) {
    const window = at();
    const { ask, read } = await rereadStalePage(log, window, before, next.ask, await next.reading, signal);
    if (before !== null && read.rows > 0) log.learnPageSize(before.rows);
    let last = log.isLast(read.rows);
    let now = webhookWindowAfterPage(window, rowsBeforePage(ask) + read.rows, read.created, last === true);
    if (last === true && read.rows > 0 && mustHaveMoreRows(now)) {
      log.forgetPageSize();
      last = 'unsure';
      now = { ...now, done: false };
    }
    // While it is unknown whether a page was the last, its own length is used as the page size.
    if (!now.done) next = fetch(nextWindowPage(now, last === 'unsure' ? read.rows : log.perPage()));
    const joined = before !== null && rowsBeforePage(ask) === window.rows;
    const bridged = joined ? await readPageBoundary(log, window, before as WebhookPage, read, signal) : [];
    before = read;

    const place = windowLocation(window);
    // Another worker may have split the window while this page was being read.
    const bounds = { until: at().until, meets: at().meets };
    const mark = isClosedWindow(window) ? fingerprintOfPage(read) : null;
    const kept = {
      ...now,
      ...bounds,
      ...(window.marks ? { marks: appendFingerprint(window.marks, ask, mark) } : {}),
    };
    windows.set(key, kept);
    const isSure = !kept.done || hasReachedStoredRows(now) || read.rows === 0 || log.isCertainEnd(read);
    const sure = isSure ? kept : { ...window, ...bounds };
    if (!isSure) doubt({ before: sure, after: kept, page: read });
    const same = isPageUnchanged(context.site.cache, known, ask, mark, read.ids);
    batch.add(same ? withoutRows(read) : read, place, () => {
      if (same) log.problems.clearRows('webhooks', read.ids, new Set());
      for (const each of bridged) log.store(each, place);
      saveWebhookWindow(log, sure);
      log.save({});
      savePoisonRows(log, read, {
        filter: webhookWindowFilter(window),
        location: place,
        from: window.last_at,
      });
    });
    const { meets } = window;
    const overlap = meets === null ? 0 : read.created.filter((each) => each >= meets).length;
    learned.backfilled = (learned.backfilled ?? 0) + read.rows - overlap;
    learned.rowsPerPage = log.perPage();
    showProgress(log, [...windows.values()], read.created.at(-1) ?? null);
    context.emit('webhooks');
    stored();
  }
}

/** Returns the page without its rows, so that nothing of it is stored. */
function withoutRows(page: WebhookPage): WebhookPage {
  return { ...page, pieces: { answers: [], poisonRows: [] } };
}

function windowLocation({ since, until }: WebhookWindow): string {
  return `the log from ${since ?? 'its beginning'} to ${until ?? 'now'}`;
}

function showProgress(log: WebhookLog, windows: readonly WebhookWindow[], at: number | null): void {
  const left = estimateTotalRowsLeft(windows, log.serviceNow(), log.newestDensity);
  const known = windows.every((window) => window.done || window.last_at !== null);
  if (known && left < log.seen * MAX_ESTIMATE_FACTOR) log.expected = roundEstimate(log.seen + left);
  const total = log.expected === null ? null : Math.max(log.seen, log.expected);
  log.context.job.progress('webhooks', {
    done: log.seen,
    total,
    estimated: true,
    current: at === null ? null : new Date(at).toISOString().slice(0, 10),
  });
}

/** Rounds an estimated number of rows to two significant digits. */
function roundEstimate(rows: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1);
  return Math.round(rows / step) * step;
}
