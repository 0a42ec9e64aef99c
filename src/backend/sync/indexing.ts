import { performance } from 'node:perf_hooks';
import { type Changes, quiet } from '../jobs/changes.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Stores } from '../sites/stores.ts';
import { indexSearch } from '../store/search.ts';

/** The pause between batches while a job works on the site, and when none does. */
const BESIDE_MS = 250;
const ALONE_MS = 5;
/** A thread that is busier than this is left alone while a job runs. */
const BUSY = 0.7;

/** Brings the search up to what is stored, in small batches behind the writes, so that no job waits for it. */
export interface Indexing {
  /** There may be something to index for the site. */
  poke(site: string): void;
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
      if (indexSearch(stores.open(site).cache) === 0) return;
    }
  }

  function poke(site: string): void {
    if (running.has(site) || ends.signal.aborted) return;
    const work = index(site)
      .catch((error) => void unexpected(error, `indexing ${site}`))
      .finally(() => running.delete(site));
    running.set(site, work);
  }

  async function follow(): Promise<void> {
    for await (const { site, topics } of changes.watch(ends.signal)) {
      if (site !== null && (topics.includes('webhooks') || topics.includes('statements'))) poke(site);
    }
  }
  const following = follow();

  return {
    poke,
    async close() {
      ends.abort();
      await Promise.all([following, ...running.values()]);
    },
  };
}
