import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Unsearched } from '../../contract/index.ts';
import { drawSomeWords } from '../archive/words.ts';
import { type Changes, quiet } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Stores } from '../sites/stores.ts';
import { indexSearch, type Searched, unsearched } from '../store/search.ts';

/** The pause between batches while a job works on the site, and when none does. */
const BESIDE_MS = 250;
const ALONE_MS = 5;
/** So many rows are indexed in one transaction. */
const BATCH = 500;
/** So many PDFs are read in one go. */
const PDFS = 4;
/** A thread that is busier than this is left alone while a job runs. */
const BUSY = 0.7;

/** So long at most works one call that somebody waits for. */
const CATCHING_UP_MS = 1000;

/** What may leave something to index, and the end of a job, which leaves time for it. */
const POKING: ReadonlySet<string> = new Set(['webhooks', 'statements', 'archive', 'jobs']);

/** Brings the search up to what is stored, in small batches behind the writes, so that no job waits for it. */
export interface Indexing {
  /** There may be something to index for the site. */
  poke(site: string): void;
  /** Indexes ahead of all else, for about a second; gives what is left. */
  catchUp(site: string, of: Searched, signal?: AbortSignal): Promise<Unsearched>;
  /** Indexes all that is waiting, for whoever acts on what a search finds: nothing may be missing from that. */
  finish(site: string, of: Searched, signal?: AbortSignal): Promise<void>;
  /** Stops, and waits for the batch under way. */
  close(): Promise<void>;
}

export interface IndexingTools {
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
}

export function createIndexing({ stores, jobs, changes, unexpected }: IndexingTools): Indexing {
  const ends = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Sites that were poked while they were being indexed: what came may have been passed by already. */
  const again = new Set<string>();

  /** Draws what some PDFs say, and tells of the last of them: they are to be checked against their statements then. */
  async function draw(site: string): Promise<boolean> {
    const { cache, folder } = stores.open(site);
    if ((await drawSomeWords({ cache, folder }, PDFS)) === 0) return false;
    changes.tell(site, 'search');
    if (unsearched(cache).pdfs === 0) changes.tell(site, 'exceptions');
    return true;
  }

  async function index(site: string): Promise<void> {
    let before = performance.eventLoopUtilization();
    while (!ends.signal.aborted) {
      const beside = jobs.running(site) !== null;
      await quiet(beside ? BESIDE_MS : ALONE_MS, ends.signal);
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

  /** Indexes for about a second; true once nothing is left to do. */
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
