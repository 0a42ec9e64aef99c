import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobHandle } from '../../src/backend/jobs/job-handle.ts';
import { createBillingConnection } from '../../src/backend/sites/billing-connection.ts';
import { createMonotonicClock } from '../../src/backend/sites/monotonic-clock.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { interruptSyncRuns, type StoredSyncRun, saveSyncRun } from '../../src/backend/store/sync/sync-run.ts';
import { runSyncParts } from '../../src/backend/sync/run-sync-parts.ts';
import type { SyncContext } from '../../src/backend/sync/shared/sync-context.ts';
import { SyncTotals } from '../../src/backend/sync/shared/sync-totals.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

/**
 * A site's databases and the sync without jobs, checks or search, so that hundreds of histories run in seconds. Reading
 * and storing work as in the app.
 */
export interface LeanSync {
  readonly sandbox: Sandbox;
  cache(): WritableDb;
  /** Runs a sync. `end` is called after each read or write and decides whether the sync is stopped or killed there. */
  sync(how?: { full?: boolean; end?: () => 'stop' | 'kill' | null }): Promise<Outcome>;
  close(): Promise<void>;
}

/** Result of a sync. */
export interface Outcome {
  complete: boolean;
  error: unknown;
}

/** In memory if the system supports it, because these tests do not cover power failures. */
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const PARTS = ['webhooks', 'statements', 'allocations'] as const;

let made: { cache: string; books: WritableDb } | null = null;
/** An empty cache to be copied, and books that a sync does not change. Created once. */
function empty() {
  if (made !== null) return made;
  const folder = mkdtempSync(join(folders, 'tieout-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const cache = join(folder, 'cache.db');
  openStore(cache, 'cache').close();
  made = { cache, books: openStore(join(folder, 'books.db'), 'books') };
  return made;
}

export async function openLeanSync(
  options: SandboxOptions,
  { format, now }: { format: 'json' | 'xml'; now: () => number },
): Promise<LeanSync> {
  const sandbox = await startSandbox(options);
  const folder = mkdtempSync(join(folders, 'tieout-lean-'));
  const { books, cache: emptyCache } = empty();
  copyFileSync(emptyCache, join(folder, 'cache.db'));
  const file = {
    site: 'acme',
    title: 'Acme',
    base_url: sandbox.url,
    format,
    currency: 'USD',
    service_details: null,
    demo: false,
    created_at: '',
  } as const;
  const open = () => openStore(join(folder, 'cache.db'), 'cache');
  let cache = open();
  let runs = 0;

  return {
    sandbox,
    cache: () => cache,
    async sync({ full = false, end = () => null } = {}) {
      const control = new AbortController();
      const tally = new SyncTotals();
      const clock = createMonotonicClock(cache, now);
      const look = () => {
        if (control.signal.aborted || !cache.open) return;
        const ends = end();
        if (ends === null) return;
        // The remaining work of the killed sync must not reach the service or the databases.
        if (ends === 'kill') cache.close();
        control.abort();
      };
      const job: JobHandle = {
        id: `run ${++runs}`,
        site: file.site,
        signal: control.signal,
        progress: look,
        setPaused: () => {},
        onCommand: () => {},
      };
      const client = createBillingConnection({
        site: file,
        key: async () => sandbox.apiKey,
        signal: control.signal,
        pacing: { delayScale: 0, maxAttempts: 5 },
        now: clock,
        onRequest: (event) => {
          tally.recordRequest(event);
          look();
        },
      });
      let run: StoredSyncRun = {
        ...{ job: job.id, started_at: clock(), ended_at: null, state: 'running', error: null },
        ...{ requests: tally.countRequests(), rows: {}, bytes: 0, complete: false },
      };
      saveSyncRun(cache, run);
      const context: SyncContext = {
        ...{ site: { file, folder, cache, books }, client, job, tally, full },
        ...{ closedPeriods: [], since: null, now: clock, emit: look },
      };
      const outcome: Outcome = { complete: false, error: null };
      try {
        outcome.complete = await runSyncParts(context, PARTS);
      } catch (error) {
        outcome.error = error;
      }
      await client.close();
      if (cache.open) {
        run = { ...run, state: outcome.error === null ? 'done' : 'failed', ended_at: clock() };
        saveSyncRun(cache, { ...run, complete: outcome.complete });
      } else {
        cache = open();
        interruptSyncRuns(cache, clock());
      }
      return outcome;
    },
    async close() {
      cache.close();
      rmSync(folder, { recursive: true, force: true });
      await sandbox.close();
    },
  };
}
