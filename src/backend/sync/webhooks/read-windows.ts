import { WorkerPool, type WorkerTask } from '../../shared/worker-pool.ts';
import { inTransaction } from '../../store/sqlite/connection.ts';
import { type PageRequest, repeatedPageError } from '../shared/page-parts.ts';
import {
  appendFingerprint,
  type ClosedWindow,
  fingerprintPage,
  isPageUnchanged,
  listClosedWindows,
} from './closed-window.ts';
import { findWindowsAfterDeletion } from './deleted-log-start.ts';
import { savePoisonRows } from './poison-rows.ts';
import { WebhookBatch } from './webhook-batch.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import {
  advanceWebhookWindow,
  countRowsBeforePage,
  estimateTotalRowsLeft,
  getNextWindowPage,
  hasReachedStoredRows,
  mustHaveMoreRows,
  type PageFingerprint,
  splitLargestWindow,
  type WebhookWindow,
} from './webhook-window.ts';
import {
  arePagesLonger,
  getWindowFilter,
  learnWindowPageSize,
  readPageBoundary,
  rereadStalePage,
} from './window-pages.ts';
import {
  formatWindowKey,
  isClosedWindow,
  listWebhookWindows,
  resumeOldWindowsAtDay,
  saveWebhookWindow,
} from './window-units.ts';

/** The number of remaining rows is shown only if it is estimated at less than this multiple of the rows read. */
const MAX_ESTIMATE_FACTOR = 20;
/** Maximum number of times windows are read that seemed to end early because pages had become shorter. */
const MAX_READS = 3;

/** Location prefix for problems of windows that could not be read to their end. */
export const UNREAD_WINDOW_PREFIX = 'webhooks from ';
const PAGE_SIZE_LOCATION = 'the page size of the webhook log';

/** Reads all unfinished windows in parallel. An idle worker takes over the later half of the largest window. */
export async function readWebhookWindows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  resumeOldWindowsAtDay(log);
  const unbounded = listWebhookWindows(log).find(
    ({ since, until, done }) => since === null && until === null && !done,
  );
  await new OpenWindowsReader(log, signal).run();
  const first = listWebhookWindows(log).find(({ key, done }) => done && key === unbounded?.key);
  if (first === undefined) return;
  const key = formatWindowKey(log.state.windows + 1);
  const windows = await findWindowsAfterDeletion(log, first, key, signal);
  if (windows === null) return;
  inTransaction(log.context.site.cache, () => {
    log.save({ windows: log.state.windows + 1 });
    for (const window of [windows.rest, windows.oldest]) saveWebhookWindow(log, window);
  });
  await new OpenWindowsReader(log, signal).run();
}

/** A window that may have ended because its last page was shorter than others, before and after that page. */
interface UncertainEnd {
  readonly before: WebhookWindow;
  readonly after: WebhookWindow;
  readonly page: WebhookPage;
}

/** A page of a window and the window before and after it. */
interface WindowPage {
  readonly ask: PageRequest;
  readonly read: WebhookPage;
  readonly before: WebhookWindow;
  readonly after: WebhookWindow;
  /** Pages across the boundary to the previous page. */
  readonly bridged: readonly WebhookPage[];
  /** The window's pages when the closed window was last read. */
  readonly known: ClosedWindow | undefined;
}

/** Reads all unfinished windows in parallel, and again those that only seemed to end because pages became shorter. */
class OpenWindowsReader {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  readonly #windows: Map<string, WebhookWindow>;
  readonly #started = new Set<string>();
  readonly #batch: WebhookBatch;
  readonly #workers: WorkerPool;
  readonly #uncertainEnds: UncertainEnd[] = [];

  constructor(log: WebhookLog, signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
    this.#windows = new Map(listWebhookWindows(log).map((window) => [window.key, window]));
    this.#batch = new WebhookBatch(log.context.site.cache, (...page) => log.store(...page));
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

  /** Splits the window with the most rows left. Returns its later half, or null if a split is not worthwhile. */
  #splitWindow(): WebhookWindow | null {
    const log = this.#log;
    const key = formatWindowKey(log.state.windows + 1);
    const open = [...this.#windows.values()].filter((window) => !isClosedWindow(window));
    const halves = splitLargestWindow(open, log.serviceNow(), log.perPage(), key);
    if (halves === null) return null;
    this.#batch.flush();
    inTransaction(log.context.site.cache, () => {
      log.save({ windows: log.state.windows + 1 });
      for (const window of [halves.earlier, halves.later]) {
        saveWebhookWindow(log, window);
        this.#windows.set(window.key, window);
      }
    });
    return halves.later;
  }

  /** Reads a window. If the service fails on it, saves the position for the next sync. */
  async #attemptWindow({ key, since }: WebhookWindow): Promise<void> {
    const location = `${UNREAD_WINDOW_PREFIX}${since ?? 'the beginning'} on`;
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
    let next = this.#requestPage(key, getNextWindowPage(this.#window(key), log.perPage()));
    let previous: WebhookPage | null = null;
    while (!this.#window(key).done) {
      const before = this.#window(key);
      const context = { log, window: before, signal };
      const { ask, read } = await rereadStalePage(context, previous, next.ask, await next.reading);
      if (previous !== null && read.rows > 0) log.learnPageSize(previous.rows);
      const { after, nextPageSize } = advanceWindow(log, before, ask, read);
      if (!after.done) next = this.#requestPage(key, getNextWindowPage(after, nextPageSize));
      const followsPrevious = countRowsBeforePage(ask) === before.rows;
      const bridged =
        previous !== null && followsPrevious ? await readPageBoundary(context, previous, read) : [];
      previous = read;
      this.#recordPage({ ask, read, before, after, bridged, known });
    }
  }

  #requestPage(key: string, ask: PageRequest) {
    const reading = this.#log.read(getWindowFilter(this.#window(key)), ask, this.#workers.signal);
    // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
    reading.catch(() => {});
    return { ask, reading };
  }

  /** Adds a page to the batch and updates its window, which another worker may have split while it was being read. */
  #recordPage({ ask, read, before, after, bridged, known }: WindowPage): void {
    const log = this.#log;
    const { until, meets } = this.#window(before.key);
    const mark = isClosedWindow(before) ? fingerprintPage(read) : null;
    const marks = before.marks ? { marks: appendFingerprint(before.marks, ask, mark) } : {};
    const advanced = { ...after, until, meets, ...marks };
    this.#windows.set(before.key, advanced);
    const isCertain =
      !advanced.done || hasReachedStoredRows(after) || read.rows === 0 || log.isCertainEnd(read);
    const checkpoint = isCertain ? advanced : { ...before, until, meets };
    if (!isCertain) this.#uncertainEnds.push({ before: checkpoint, after: advanced, page: read });
    this.#storePage(checkpoint, { ask, read, before, after, bridged, known }, mark);
    this.#countBackfilled(before, read);
    showProgress(log, [...this.#windows.values()], read.created.at(-1) ?? null);
    log.context.emit('webhooks');
    this.#workers.wake();
  }

  /** Stores a page with the window's checkpoint. A page that has not changed since it was last read is not stored. */
  #storePage(checkpoint: WebhookWindow, page: WindowPage, mark: PageFingerprint | null): void {
    const log = this.#log;
    const { ask, read, before, bridged, known } = page;
    const location = describeWindow(before);
    const isUnchanged = isPageUnchanged(log.context.site.cache, known, { ask, mark, ids: read.ids });
    this.#batch.add(isUnchanged ? withoutRows(read) : read, location, () => {
      if (isUnchanged) log.problems.clearRows('webhooks', read.ids, new Set());
      for (const each of bridged) log.store(each, location);
      saveWebhookWindow(log, checkpoint);
      log.save({});
      savePoisonRows(log, read, { filter: getWindowFilter(before), location, from: before.last_at });
    });
  }

  #countBackfilled({ meets }: WebhookWindow, read: WebhookPage): void {
    const { webhooks: minimum } = this.#log.context.tally.minimumInputs;
    const overlap = meets === null ? 0 : read.created.filter((each) => each >= meets).length;
    minimum.backfilled = (minimum.backfilled ?? 0) + read.rows - overlap;
    minimum.rowsPerPage = this.#log.perPage();
  }

  /** Verifies uncertain ends. If pages have become shorter, the windows are read again from before their last page. */
  async #verifyEnds(reads: number): Promise<void> {
    const pages = this.#uncertainEnds.map(({ page }) => page);
    const areComplete = await arePagesLonger(this.#log, pages, this.#signal);
    if (!areComplete && reads === MAX_READS) throw repeatedPageError('webhooks');
    inTransaction(this.#log.context.site.cache, () => {
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
function findClosedWindow(log: WebhookLog, window: WebhookWindow): ClosedWindow | undefined {
  if (!isClosedWindow(window)) return undefined;
  return listClosedWindows(log).find(({ since, until }) => since === window.since && until === window.until);
}

/** Returns the window after a page and the size of its next page: the page's own length while its end is uncertain. */
function advanceWindow(log: WebhookLog, window: WebhookWindow, ask: PageRequest, read: WebhookPage) {
  const isLast = log.isLast(read.rows);
  const after = advanceWebhookWindow(
    window,
    countRowsBeforePage(ask) + read.rows,
    read.created,
    isLast === true,
  );
  const mustContinue = isLast === true && read.rows > 0 && mustHaveMoreRows(after);
  if (mustContinue) {
    log.forgetPageSize();
    after.done = false;
  }
  const nextPageSize = mustContinue || isLast === 'unsure' ? read.rows : log.perPage();
  return { after, nextPageSize };
}

/** Returns the page without its rows, so that nothing of it is stored. */
function withoutRows(page: WebhookPage): WebhookPage {
  return { ...page, pieces: { answers: [], poisonRows: [] } };
}

function describeWindow({ since, until }: WebhookWindow): string {
  return `the log from ${since ?? 'its beginning'} to ${until ?? 'now'}`;
}

function showProgress(log: WebhookLog, windows: readonly WebhookWindow[], at: number | null): void {
  const left = estimateTotalRowsLeft(windows, log.serviceNow(), log.newestDensity);
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

/** Rounds an estimated number of rows to two significant digits. */
function roundToTwoDigits(rows: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1);
  return Math.round(rows / step) * step;
}
