import { WorkerPool, type WorkerTask } from '../../shared/worker-pool.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { type ListPageRequest, repeatedPageError } from '../shared/read-page-in-parts.ts';
import {
  appendPageFingerprint,
  type ClosedWebhookWindow,
  computeLogPageFingerprint,
  isLogPageUnchanged,
  listClosedWebhookWindows,
} from './closed-webhook-window.ts';
import { savePoisonRows } from './poison-rows.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import { WebhookPageBatch } from './webhook-page-batch.ts';
import {
  advanceWebhookWindow,
  countRowsBeforePage,
  estimateTotalRemainingRows,
  getNextWebhookWindowPage,
  hasWebhookWindowUnreadRows,
  hasWindowReachedStoredRows,
  type PageFingerprint,
  splitLargestWebhookWindow,
  type WebhookWindow,
} from './webhook-window.ts';
import {
  doesServiceReturnLongerPages,
  getWebhookWindowFilter,
  learnWindowPageSize,
  readAcrossPageBoundary,
  rereadStaleWebhookPage,
} from './webhook-window-pages.ts';
import {
  getWebhookWindowKey,
  isClosedWebhookWindow,
  listWebhookWindows,
  resumeOldWindowsAtDayStart,
  saveWebhookWindow,
} from './webhook-window-units.ts';
import { findWebhookWindowsAfterDeletion } from './webhook-windows-after-deletion.ts';

/** The expected total is shown if the rest is below this multiple of the rows read. Chosen by judgment. */
const MAX_ESTIMATE_FACTOR = 20;
/** Maximum number of reads of a window that seemed to end early because the service reduced its page size. */
const MAX_READS = 3;

/** Location prefix for problems of windows that could not be read to their end. */
export const UNREAD_WINDOW_LOCATION_PREFIX = 'webhooks from ';
const PAGE_SIZE_LOCATION = 'the page size of the webhook log';

/** Reads all unfinished windows in parallel. An idle worker takes over the later half of the largest window. */
export async function readWebhookWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  resumeOldWindowsAtDayStart(log);
  const unbounded = listWebhookWindows(log).find(
    ({ since, until, done }) => since === null && until === null && !done,
  );
  await new OpenWindowsReader(log, signal).run();
  const first = listWebhookWindows(log).find(({ key, done }) => done && key === unbounded?.key);
  if (first === undefined) return;
  const key = getWebhookWindowKey(log.state.windows + 1);
  const windows = await findWebhookWindowsAfterDeletion(log, first, key, signal);
  if (windows === null) return;
  runInTransaction(log.context.site.cache, () => {
    log.save({ windows: log.state.windows + 1 });
    for (const window of [windows.rest, windows.oldest]) saveWebhookWindow(log, window);
  });
  await new OpenWindowsReader(log, signal).run();
}

/** States of a window before and after a page that is so short that it may only seem to be the last page. */
interface UncertainEnd {
  readonly before: WebhookWindow;
  readonly after: WebhookWindow;
  readonly page: WebhookPage;
}

/** A page of a window, with the window's states before and after the page. */
interface WindowPage {
  readonly request: ListPageRequest;
  readonly read: WebhookPage;
  readonly before: WebhookWindow;
  readonly after: WebhookWindow;
  readonly boundaryPages: readonly WebhookPage[];
  /** Stored version of the same window with its fingerprints, if the window is closed. */
  readonly known: ClosedWebhookWindow | undefined;
}

/**
 * Reads all unfinished windows in parallel. Reads windows again that only seemed to end because the service reduced its
 * page size.
 */
class OpenWindowsReader {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  readonly #windows: Map<string, WebhookWindow>;
  readonly #started = new Set<string>();
  readonly #batch: WebhookPageBatch;
  readonly #workers: WorkerPool;
  readonly #uncertainEnds: UncertainEnd[] = [];

  constructor(log: WebhookLog, signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
    this.#windows = new Map(listWebhookWindows(log).map((window) => [window.key, window]));
    this.#batch = new WebhookPageBatch(log.context.site.cache, (...page) => log.store(...page));
    this.#workers = new WorkerPool(signal, () => this.#nextTask());
  }

  async run(): Promise<void> {
    for (let reads = 1; ; reads++) {
      try {
        await this.#workers.run();
      } finally {
        this.#batch.flush();
      }
      if (this.#uncertainEnds.length === 0) return;
      const areVerified = await this.#log.attempt(PAGE_SIZE_LOCATION, () => this.#verifyEnds(reads));
      if (!areVerified || this.#uncertainEnds.length === 0) return;
      this.#uncertainEnds.length = 0;
    }
  }

  #nextTask(): WorkerTask | null {
    const unread = [...this.#windows.values()].find(({ done, key }) => !done && !this.#started.has(key));
    const window = unread ?? this.#splitWindow();
    if (window === null) return null;
    this.#started.add(window.key);
    return () => this.#attemptWindow(window);
  }

  /** Splits the window with the most remaining rows. Returns its later half, or null if no split is worthwhile. */
  #splitWindow(): WebhookWindow | null {
    const log = this.#log;
    const key = getWebhookWindowKey(log.state.windows + 1);
    const open = [...this.#windows.values()].filter((window) => !isClosedWebhookWindow(window));
    const halves = splitLargestWebhookWindow(open, log.serviceNow(), log.perPage(), key);
    if (halves === null) return null;
    this.#batch.flush();
    runInTransaction(log.context.site.cache, () => {
      log.save({ windows: log.state.windows + 1 });
      for (const window of [halves.earlier, halves.later]) {
        saveWebhookWindow(log, window);
        this.#windows.set(window.key, window);
      }
    });
    return halves.later;
  }

  /** Reads a window. If the service fails on the window, saves its position for the next sync. */
  async #attemptWindow({ key, since }: WebhookWindow): Promise<void> {
    const location = `${UNREAD_WINDOW_LOCATION_PREFIX}${since ?? 'the beginning'} on`;
    const done = await this.#log.attempt(location, () => this.#readWindow(key));
    this.#batch.flush();
    if (!done) saveWebhookWindow(this.#log, this.#window(key), 'failed');
  }

  /** Returns the current state of a window. Another worker may split it at any time. */
  #window(key: string): WebhookWindow {
    return this.#windows.get(key) as WebhookWindow;
  }

  async #readWindow(key: string): Promise<void> {
    const log = this.#log;
    const signal = this.#workers.signal;
    const known = findClosedWindow(log, this.#window(key));
    await learnWindowPageSize({ log, window: this.#window(key), signal });
    let next = this.#requestPage(key, getNextWebhookWindowPage(this.#window(key), log.perPage()));
    let previous: WebhookPage | null = null;
    while (!this.#window(key).done) {
      const before = this.#window(key);
      const context = { log, window: before, signal };
      const { request, read } = await rereadStaleWebhookPage(
        context,
        previous,
        next.request,
        await next.page,
      );
      if (previous !== null && read.rows > 0) log.learnPageSize(previous.rows);
      const { after, nextPageSize } = advanceWindow(log, before, request, read);
      if (!after.done) next = this.#requestPage(key, getNextWebhookWindowPage(after, nextPageSize));
      const followsPrevious = countRowsBeforePage(request) === before.rows;
      const boundaryPages =
        previous !== null && followsPrevious ? await readAcrossPageBoundary(context, previous, read) : [];
      previous = read;
      this.#recordPage({ request, read, before, after, boundaryPages, known });
    }
  }

  #requestPage(key: string, request: ListPageRequest) {
    const page = this.#log.read(getWebhookWindowFilter(this.#window(key)), request, this.#workers.signal);
    // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
    page.catch(() => {});
    return { request, page };
  }

  /** Adds a page to the batch and updates the page's window, which another worker may have split during the request. */
  #recordPage({ request, read, before, after, boundaryPages, known }: WindowPage): void {
    const log = this.#log;
    const { until, meets } = this.#window(before.key);
    const mark = isClosedWebhookWindow(before) ? computeLogPageFingerprint(read) : null;
    const marks = before.marks ? { marks: appendPageFingerprint(before.marks, request, mark) } : {};
    const advanced = { ...after, until, meets, ...marks };
    this.#windows.set(before.key, advanced);
    const isCertain =
      !advanced.done || hasWindowReachedStoredRows(after) || read.rows === 0 || log.isCertainEnd(read);
    const checkpoint = isCertain ? advanced : { ...before, until, meets };
    if (!isCertain) this.#uncertainEnds.push({ before: checkpoint, after: advanced, page: read });
    this.#storePage(checkpoint, { request, read, before, after, boundaryPages, known }, mark);
    this.#countBackfilled(before, read);
    showProgress(log, [...this.#windows.values()], read.created.at(-1) ?? null);
    log.context.emit('webhooks');
    this.#workers.wake();
  }

  /** Stores a page with the window's checkpoint. Omits the rows of a page that has not changed since the last read. */
  #storePage(checkpoint: WebhookWindow, page: WindowPage, mark: PageFingerprint | null): void {
    const log = this.#log;
    const { request, read, before, boundaryPages, known } = page;
    const location = describeWindow(before);
    const isUnchanged = isLogPageUnchanged(log.context.site.cache, known, { request, mark, ids: read.ids });
    this.#batch.add(isUnchanged ? withoutRows(read) : read, location, () => {
      if (isUnchanged) log.problems.clearRows('webhooks', read.ids, new Set());
      for (const each of boundaryPages) log.store(each, location);
      saveWebhookWindow(log, checkpoint);
      log.save({});
      savePoisonRows(log, read, { filter: getWebhookWindowFilter(before), location, from: before.last_at });
    });
  }

  #countBackfilled({ meets }: WebhookWindow, read: WebhookPage): void {
    const { webhooks: minimum } = this.#log.context.tally.minimumInputs;
    const overlap = meets === null ? 0 : read.created.filter((each) => each >= meets).length;
    minimum.backfilled = (minimum.backfilled ?? 0) + read.rows - overlap;
    minimum.rowsPerPage = this.#log.perPage();
  }

  /** Verifies uncertain ends. If pages have become shorter, reads the windows again from before their last page. */
  async #verifyEnds(reads: number): Promise<void> {
    const pages = this.#uncertainEnds.map(({ page }) => page);
    const areComplete = await doesServiceReturnLongerPages(this.#log, pages, this.#signal);
    if (!areComplete && reads === MAX_READS) throw repeatedPageError('webhooks');
    runInTransaction(this.#log.context.site.cache, () => {
      for (const { after, before } of this.#uncertainEnds) {
        const window = areComplete ? after : before;
        this.#windows.set(window.key, window);
        if (!areComplete) this.#started.delete(window.key);
        saveWebhookWindow(this.#log, window);
      }
    });
    if (areComplete) this.#uncertainEnds.length = 0;
  }
}

/** Returns the stored closed window with the same days, or undefined if the window is not closed or was never read. */
function findClosedWindow(log: WebhookLog, window: WebhookWindow): ClosedWebhookWindow | undefined {
  if (!isClosedWebhookWindow(window)) return undefined;
  return listClosedWebhookWindows(log).find(
    ({ since, until }) => since === window.since && until === window.until,
  );
}

/** Returns the window after a page, and the next page's size: this page's length while the end is uncertain. */
function advanceWindow(log: WebhookLog, window: WebhookWindow, request: ListPageRequest, read: WebhookPage) {
  const isLast = log.isLast(read.rows);
  const after = advanceWebhookWindow(
    window,
    countRowsBeforePage(request) + read.rows,
    read.created,
    isLast === true,
  );
  const mustContinue = isLast === true && read.rows > 0 && hasWebhookWindowUnreadRows(after);
  if (mustContinue) {
    log.forgetPageSize();
    after.done = false;
  }
  const nextPageSize = mustContinue || isLast === 'unsure' ? read.rows : log.perPage();
  return { after, nextPageSize };
}

/** Returns the page without its rows, so that none of them are stored. */
function withoutRows(page: WebhookPage): WebhookPage {
  return { ...page, parts: { answers: [], poisonRows: [] } };
}

function describeWindow({ since, until }: WebhookWindow): string {
  return `the log from ${since ?? 'its beginning'} to ${until ?? 'now'}`;
}

function showProgress(log: WebhookLog, windows: readonly WebhookWindow[], at: number | null): void {
  const left = estimateTotalRemainingRows(windows, log.serviceNow(), log.newestDensity);
  const known = windows.every((window) => window.done || window.last_at !== null);
  if (known && left < log.rowsRead * MAX_ESTIMATE_FACTOR)
    log.expectedRows = roundToTwoDigits(log.rowsRead + left);
  const total = log.expectedRows === null ? null : Math.max(log.rowsRead, log.expectedRows);
  log.context.job.progress('webhooks', {
    done: log.rowsRead,
    total,
    estimated: true,
    current: at === null ? null : new Date(at).toISOString().slice(0, 10),
  });
}

function roundToTwoDigits(rows: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1);
  return Math.round(rows / step) * step;
}
