import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Unsearched } from '../../contract/index.ts';
import { extractSomeTexts } from '../archive/store-pdf-text.ts';
import { type ChangeEvents, sleep } from '../jobs/change-events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { indexSearch, type Searched, unsearched } from '../store/search/search-index.ts';

/** Delay in milliseconds between batches while a job works on the site, and while none does. */
const BESIDE_MS = 250;
const ALONE_MS = 5;
/** Number of rows indexed per transaction. */
const BATCH = 500;
/** Number of PDFs read per batch. */
const PDFS = 4;
/** Share of busy time above which a thread is left alone while a job runs. */
const BUSY = 0.7;

/** Maximum milliseconds of one call that a person waits for. */
const CATCHING_UP_MS = 1000;

/** Topics whose changes may leave something to index, including the end of a job, which frees time for it. */
const POKING: ReadonlySet<string> = new Set(['webhooks', 'statements', 'archive', 'jobs']);

/** Keeps the search index up to date in small batches after the writes, so that no job waits for it. */
export interface SearchIndexing {
  /** Schedules indexing for a site. */
  poke(site: string): void;
  /** Indexes with priority for about a second. Returns how much is left. */
  catchUp(site: string, of: Searched, signal?: AbortSignal): Promise<Unsearched>;
  /** Indexes everything pending. Used before acting on a search result, which must be complete. */
  finish(site: string, of: Searched, signal?: AbortSignal): Promise<void>;
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
  const ends = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Sites with new work that arrived during indexing, which may already have passed it. */
  const again = new Set<string>();

  /**
   * Extracts the text of some PDFs. Emits a change event after the last one, so that they are checked against their
   * statements.
   */
  async function draw(site: string): Promise<boolean> {
    const { cache, folder } = stores.open(site);
    if ((await extractSomeTexts({ cache, folder }, PDFS)) === 0) return false;
    changes.tell(site, 'search');
    if (unsearched(cache).pdfs === 0) changes.tell(site, 'exceptions');
    return true;
  }

  async function index(site: string): Promise<void> {
    let before = performance.eventLoopUtilization();
    while (!ends.signal.aborted) {
      const beside = jobs.running(site) !== null;
      await sleep(beside ? BESIDE_MS : ALONE_MS, ends.signal);
      const now = performance.eventLoopUtilization();
      const busy = performance.eventLoopUtilization(now, before).utilization > BUSY;
      before = now;
      if (ends.signal.aborted) return;
      if (beside && busy) continue;
      const open = stores.open(site);
      if (indexSearch(open.cache, BATCH) > 0) changes.tell(site, 'search');
      // What PDFs say is drawn when nothing else is to be done: it takes a hundred times as long.
      else if (beside || !(await draw(site))) return;
    }
  }

  /** Indexes for about a second. Returns true if nothing is left. */
  async function indexSome(site: string, of: Searched, signal?: AbortSignal): Promise<boolean> {
    const { cache } = stores.open(site);
    const begun = performance.now();
    try {
      while (!ends.signal.aborted && performance.now() - begun < CATCHING_UP_MS) {
        signal?.throwIfAborted();
        const done = indexSearch(cache, BATCH, of);
        if (done === 0 && (of === 'webhooks' || !(await draw(site)))) return true;
        await turn();
      }
      return ends.signal.aborted;
    } finally {
      changes.tell(site, 'search');
    }
  }

  async function catchUp(site: string, of: Searched, signal?: AbortSignal): Promise<Unsearched> {
    await indexSome(site, of, signal);
    return unsearched(stores.open(site).cache);
  }

  async function finish(site: string, of: Searched, signal?: AbortSignal): Promise<void> {
    while (!(await indexSome(site, of, signal)));
  }

  function poke(site: string): void {
    if (ends.signal.aborted) return;
    if (running.has(site)) return void again.add(site);
    const work = index(site)
      .catch((error) => void unexpected(error, `indexing ${site}`))
      .finally(() => {
        running.delete(site);
        if (again.delete(site)) poke(site);
      });
    running.set(site, work);
  }

  const isOpen = (site: string) => stores.opened().some((each) => each.site === site);

  async function follow(): Promise<void> {
    for await (const { site, topics } of changes.watch(ends.signal)) {
      // What another process writes it indexes itself, as long as nobody here works on the site.
      if (site !== null && isOpen(site) && topics.some((topic) => POKING.has(topic))) poke(site);
    }
  }
  const following = follow();

  return {
    poke,
    catchUp,
    finish,
    async close() {
      ends.abort();
      await Promise.all([following, ...running.values()]);
    },
  };
}
