import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Unsearched } from '../../contract/index.ts';
import { extractPendingPdfTexts } from '../archive/store-pdf-text.ts';
import { type ChangeEvents, sleep } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { indexSearch, type Searched, unsearched } from '../store/search/search-index.ts';

/** Delay between batches in milliseconds: while a job is running on the site, and otherwise. */
const DELAY_DURING_JOB_MS = 250;
const DELAY_WHEN_IDLE_MS = 5;
/** Number of rows indexed per transaction. */
const ROWS_PER_TRANSACTION = 500;
/** Number of PDFs whose text is extracted per batch. */
const PDFS_PER_BATCH = 4;
/** Share of busy time of the thread above which indexing pauses while a job is running. */
const MAX_BUSY_SHARE = 0.7;

/** Maximum duration in milliseconds of a call for which a person is waiting. */
const MAX_CATCH_UP_MS = 1000;

/** Topics that trigger indexing. The end of a job is one of them, because more time is available then. */
const TRIGGERING_TOPICS: ReadonlySet<string> = new Set(['webhooks', 'statements', 'archive', 'jobs']);

/** Updates the search index in small batches after the data is written, so that no job has to wait for it. */
export interface SearchIndexing {
  /** Schedules indexing for a site. */
  schedule(site: string): void;
  /** Indexes for about a second with priority. Returns how many records are left to index. */
  catchUp(site: string, of: Searched, signal?: AbortSignal): Promise<Unsearched>;
  /** Indexes all pending records. Called before acting on search results, which must then be complete. */
  indexAll(site: string, of: Searched, signal?: AbortSignal): Promise<void>;
  /** Stops after the current batch. */
  close(): Promise<void>;
}

export interface SearchIndexingOptions {
  stores: SiteDatabases;
  jobs: Jobs;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
}

export function createSearchIndexing({
  stores,
  jobs,
  changes,
  unexpected,
}: SearchIndexingOptions): SearchIndexing {
  const closeController = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Sites for which indexing was scheduled while it was already running. */
  const rescheduled = new Set<string>();

  /**
   * Extracts the text of some PDFs. After the last one, emits a change event, so that the PDFs are compared with their
   * statements. Returns false if there was nothing to extract.
   */
  async function extractPdfTexts(site: string): Promise<boolean> {
    const { cache, folder } = stores.open(site);
    if ((await extractPendingPdfTexts({ cache, folder }, PDFS_PER_BATCH)) === 0) return false;
    changes.emit(site, 'search');
    if (unsearched(cache).pdfs === 0) changes.emit(site, 'exceptions');
    return true;
  }

  async function indexSite(site: string): Promise<void> {
    let before = performance.eventLoopUtilization();
    while (!closeController.signal.aborted) {
      const isJobRunning = jobs.findRunning(site) !== null;
      await sleep(isJobRunning ? DELAY_DURING_JOB_MS : DELAY_WHEN_IDLE_MS, closeController.signal);
      const now = performance.eventLoopUtilization();
      const isBusy = performance.eventLoopUtilization(now, before).utilization > MAX_BUSY_SHARE;
      before = now;
      if (closeController.signal.aborted) return;
      if (isJobRunning && isBusy) continue;
      const open = stores.open(site);
      if (indexSearch(open.cache, ROWS_PER_TRANSACTION) > 0) changes.emit(site, 'search');
      // PDF text is extracted only when nothing else is pending, because it takes a hundred times as long.
      else if (isJobRunning || !(await extractPdfTexts(site))) return;
    }
  }

  /** Indexes for about a second. Returns true if nothing is left. */
  async function indexForOneSlice(site: string, of: Searched, signal?: AbortSignal): Promise<boolean> {
    const { cache } = stores.open(site);
    const startedAt = performance.now();
    try {
      while (!closeController.signal.aborted && performance.now() - startedAt < MAX_CATCH_UP_MS) {
        signal?.throwIfAborted();
        const done = indexSearch(cache, ROWS_PER_TRANSACTION, of);
        if (done === 0 && (of === 'webhooks' || !(await extractPdfTexts(site)))) return true;
        await turn();
      }
      return closeController.signal.aborted;
    } finally {
      changes.emit(site, 'search');
    }
  }

  async function catchUp(site: string, of: Searched, signal?: AbortSignal): Promise<Unsearched> {
    await indexForOneSlice(site, of, signal);
    return unsearched(stores.open(site).cache);
  }

  async function indexAll(site: string, of: Searched, signal?: AbortSignal): Promise<void> {
    while (!(await indexForOneSlice(site, of, signal)));
  }

  function schedule(site: string): void {
    if (closeController.signal.aborted) return;
    if (running.has(site)) return void rescheduled.add(site);
    const work = indexSite(site)
      .catch((error) => void unexpected(error, `indexing ${site}`))
      .finally(() => {
        running.delete(site);
        if (rescheduled.delete(site)) schedule(site);
      });
    running.set(site, work);
  }

  const isOpen = (site: string) => stores.opened().some((each) => each.site === site);

  async function followChanges(): Promise<void> {
    for await (const { site, topics } of changes.watch(closeController.signal)) {
      // Other processes index what they write, so sites that are not open in this process are skipped.
      if (site !== null && isOpen(site) && topics.some((topic) => TRIGGERING_TOPICS.has(topic)))
        schedule(site);
    }
  }
  const following = followChanges();

  return {
    schedule,
    catchUp,
    indexAll,
    async close() {
      closeController.abort();
      await Promise.all([following, ...running.values()]);
    },
  };
}
