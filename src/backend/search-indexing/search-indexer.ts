import { performance } from 'node:perf_hooks';
import type { UnindexedRecordCounts } from '../../contract/index.ts';
import { extractPendingPdfTexts } from '../archive/store-pdf-text.ts';
import { sleep } from '../jobs/change-events.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import {
  countUnindexedRecords,
  indexPendingRecords,
  type SearchableRecordKind,
} from '../store/search/search-index.ts';

/** Delays between indexing batches in milliseconds: while a job is running on the site, and otherwise. */
const DELAY_DURING_JOB_MS = 250;
const DELAY_WHEN_IDLE_MS = 5;
const ROWS_PER_TRANSACTION = 500;
/** Number of PDFs whose text is extracted per batch. */
const PDFS_PER_BATCH = 4;
/** Share of the thread's time in use above which indexing pauses while a job is running. */
const MAX_BUSY_SHARE = 0.7;
/** Maximum duration in milliseconds of indexing while a user waits. */
const MAX_CATCH_UP_MS = 1000;

/** Topics that trigger indexing. The end of a job triggers it as well, because more time is available then. */
const TRIGGERING_TOPICS: ReadonlySet<string> = new Set(['webhooks', 'statements', 'archive', 'jobs']);

type SearchIndexingContext = Pick<CommandContext, 'stores' | 'jobs' | 'changes' | 'unexpected'>;

/** Updates the search index in small batches after records are written, so that no job waits for indexing. */
export class SearchIndexer {
  readonly #context: SearchIndexingContext;
  readonly #closing = new AbortController();
  /** Indexing in progress, by site. */
  readonly #running = new Map<string, Promise<void>>();
  /** Sites for which indexing was requested again while it was running. */
  readonly #rescheduled = new Set<string>();
  readonly #following: Promise<void>;

  constructor(context: SearchIndexingContext) {
    this.#context = context;
    this.#following = this.#followChanges();
  }

  schedule(site: string): void {
    if (this.#isClosed()) return;
    if (this.#running.has(site)) return void this.#rescheduled.add(site);
    const work = this.#indexSite(site)
      .catch((error) => void this.#context.unexpected(error, `indexing ${site}`))
      .finally(() => {
        this.#running.delete(site);
        if (this.#rescheduled.delete(site)) this.schedule(site);
      });
    this.#running.set(site, work);
  }

  /** Indexes with priority for about a second. Returns the numbers of records still to be indexed. */
  async catchUp(
    site: string,
    of: SearchableRecordKind,
    signal?: AbortSignal,
  ): Promise<UnindexedRecordCounts> {
    await this.#indexForOneSlice(site, of, signal);
    return countUnindexedRecords(this.#context.stores.open(site).cache);
  }

  /** Indexes all pending records. Called before a decision on search results, which must then be complete. */
  async indexAll(site: string, of: SearchableRecordKind, signal?: AbortSignal): Promise<void> {
    while (!(await this.#indexForOneSlice(site, of, signal)));
  }

  /** Stops indexing after the current batch. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#following, ...this.#running.values()]);
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #followChanges(): Promise<void> {
    const { changes, stores } = this.#context;
    for await (const { site, topics } of changes.watch(this.#closing.signal)) {
      // Skips sites that are not open in this process. The process that writes records also indexes them.
      const isOpen = stores.opened().some((each) => each.site === site);
      if (site !== null && isOpen && topics.some((topic) => TRIGGERING_TOPICS.has(topic)))
        this.schedule(site);
    }
  }

  async #indexSite(site: string): Promise<void> {
    const { jobs } = this.#context;
    let before = performance.eventLoopUtilization();
    while (!this.#isClosed()) {
      const isJobRunning = jobs.findRunning(site) !== null;
      await sleep(isJobRunning ? DELAY_DURING_JOB_MS : DELAY_WHEN_IDLE_MS, this.#closing.signal);
      const now = performance.eventLoopUtilization();
      const isBusy = performance.eventLoopUtilization(now, before).utilization > MAX_BUSY_SHARE;
      before = now;
      if (this.#isClosed()) return;
      if (isJobRunning && isBusy) continue;
      if (!(await this.#indexBatch(site, isJobRunning))) return;
    }
  }

  /** Indexes one batch of records. Returns false if no record can be indexed now. */
  async #indexBatch(site: string, isJobRunning: boolean): Promise<boolean> {
    const { stores, changes } = this.#context;
    if (indexPendingRecords(stores.open(site).cache, ROWS_PER_TRANSACTION) > 0) {
      changes.emit(site, 'search');
      return true;
    }
    // Extracts PDF text only if no other record is pending, because extraction takes a hundred times as long.
    return !isJobRunning && (await this.#extractPdfTexts(site));
  }

  /** Extracts the text of a batch of PDFs. Returns false if none are pending. The last batch triggers a check. */
  async #extractPdfTexts(site: string): Promise<boolean> {
    const { stores, changes } = this.#context;
    const { cache, folder } = stores.open(site);
    if ((await extractPendingPdfTexts({ cache, folder }, PDFS_PER_BATCH)) === 0) return false;
    changes.emit(site, 'search');
    if (countUnindexedRecords(cache).pdfs === 0) changes.emit(site, 'exceptions');
    return true;
  }

  /** Indexes for about a second. Returns true if no record is left. */
  async #indexForOneSlice(site: string, of: SearchableRecordKind, signal?: AbortSignal): Promise<boolean> {
    const { stores, changes } = this.#context;
    const { cache } = stores.open(site);
    const startedAt = performance.now();
    try {
      while (!this.#isClosed() && performance.now() - startedAt < MAX_CATCH_UP_MS) {
        signal?.throwIfAborted();
        const done = indexPendingRecords(cache, ROWS_PER_TRANSACTION, of);
        if (done === 0 && (of === 'webhooks' || !(await this.#extractPdfTexts(site)))) return true;
        await yieldToEventLoop();
      }
      return this.#isClosed();
    } finally {
      changes.emit(site, 'search');
    }
  }
}
