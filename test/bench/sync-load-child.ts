import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHost } from '../../src/host/index.ts';
import { computePercentile, type PageTimes, readPagesUntilEnough } from './page-latency.ts';
import { startPageServer } from './sync-load.ts';

/**
 * Runs the app with its threads, which sync from a service with the given number of webhooks while a window reads pages:
 * `sync-load-child.ts <webhooks> <ms per page of a real service>`. Sends a `SyncLoadResult` to its parent process.
 */
export interface SyncLoadResult {
  /** Peak memory of the two threads together, in MB: of the process, less its memory before they started. */
  peak: number;
  latency: Record<SyncLoadState, { took: SyncLoadLatency; working: SyncLoadLatency }>;
}

export interface SyncLoadLatency {
  n: number;
  median: number;
  p95: number;
}

/**
 * Load while pages are read: none; a sync from a server without latency; a sync from a server with latency; and no sync,
 * but unrelated processes that use as much CPU time as the first sync.
 */
export type SyncLoadState = 'quiet' | 'syncing' | 'paced' | 'burning';

const SITE = 'bench';
/** The states alternate, so that other load affects all of them, until each has enough pages. */
const TURN_MS = 2000;
const PAGES = 600;
const BURNER = fileURLToPath(new URL('./cpu-burner.ts', import.meta.url));

const [rows = 0, paceMs = 0] = process.argv.slice(2).map(Number);
const { url, server } = await startPageServer(rows);
const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const before = process.memoryUsage().rss / 2 ** 20;
const host = await startHost({
  home,
  version: '0.0.0',
  fallbackKey: 'key',
  logLevel: 'error',
  ...bundledThread(),
});
const { client } = host;
await client.sites.add({ title: SITE, site: SITE, base_url: url, api_key: 'key' });

const none = (): PageTimes => ({ took: [], working: [] });
const read: Record<SyncLoadState, PageTimes> = {
  quiet: none(),
  syncing: none(),
  paced: none(),
  burning: none(),
};
/** CPU time of this process and of the server during a turn, without its pages, and duration of the turns, in ms. */
const spent = { app: 0, server: 0, ms: 0 };
let whole = false;

async function readPagesFor(ms: number, over = () => false): Promise<PageTimes> {
  const end = performance.now() + ms;
  return readPagesUntilEnough(client, SITE, () => over() || performance.now() > end);
}

function count(state: SyncLoadState, { took, working }: PageTimes): void {
  read[state].took.push(...took);
  read[state].working.push(...working);
}

/** Syncs from a server with this latency while `work` runs. The rest is synced later. */
async function measureWhileSyncing(
  latency: number,
  work: (over: () => boolean) => Promise<PageTimes>,
): Promise<PageTimes> {
  await getServerCpuMs(latency);
  const { job } = await client.sync.start({ site: SITE, only: ['webhooks'] });
  let over = false;
  const ended = (async () => {
    for await (const now of await client.jobs.watch({ site: SITE, job })) {
      if (now.error !== null) throw new Error(now.error.message);
      whole = now.state === 'done';
    }
    over = true;
  })();
  const pages = await work(() => over);
  if (!over) await client.jobs.cancel({ site: SITE, job });
  await ended;
  return pages;
}

/** Waits for work that was postponed during the sync, such as search indexing. */
async function waitUntilIdle(): Promise<void> {
  for (let before = getOwnCpuMs(), quiet = false; !quiet; before = getOwnCpuMs()) {
    await wait(200);
    quiet = getOwnCpuMs() - before < 10;
  }
}

async function measureWhileBurning(work: () => Promise<PageTimes>): Promise<PageTimes> {
  const shares = [spent.app / spent.ms, spent.server / spent.ms].filter((share) => share > 0.01);
  const burners = shares.map((share) => fork(BURNER, [String(Math.min(1, share))]));
  await Promise.all(burners.map((burner) => once(burner, 'message')));
  const pages = await work();
  for (const burner of burners) burner.disconnect();
  await Promise.all(burners.map((burner) => once(burner, 'exit')));
  return pages;
}

// The first pages run code for the first time on an almost empty list.
await measureWhileSyncing(0, (over) => readPagesFor(2 * TURN_MS, over));
while (!whole && read.quiet.took.length < PAGES) {
  await waitUntilIdle();
  const quietBefore = getOwnCpuMs();
  const quiet = await readPagesFor(TURN_MS);
  const ofPage = (getOwnCpuMs() - quietBefore) / quiet.took.length;
  count('quiet', quiet);

  const turn = { app: getOwnCpuMs(), server: await getServerCpuMs(), begun: performance.now() };
  const syncing = await measureWhileSyncing(0, (over) => readPagesFor(TURN_MS, over));
  spent.app += getOwnCpuMs() - turn.app - syncing.took.length * ofPage;
  spent.server += (await getServerCpuMs()) - turn.server;
  spent.ms += performance.now() - turn.begun;
  count('syncing', syncing);

  await waitUntilIdle();
  if (!whole) count('paced', await measureWhileSyncing(paceMs, (over) => readPagesFor(TURN_MS, over)));
  await waitUntilIdle();
  count('burning', await measureWhileBurning(() => readPagesFor(TURN_MS)));
}
await measureWhileSyncing(0, (over) => readPagesUntilEnough(client, SITE, over));
const peak = peakMemory() - before;
await host.close();
server.disconnect();
rmSync(home, { recursive: true, force: true });
const latency = Object.fromEntries(
  Object.entries(read).map(([state, { took, working }]) => [
    state,
    { took: summarizeLatency(took), working: summarizeLatency(working) },
  ]),
) as SyncLoadResult['latency'];
process.send?.({ peak, latency } satisfies SyncLoadResult, () => process.exit());

function summarizeLatency(took: readonly number[]): SyncLoadLatency {
  return { n: took.length, median: computePercentile(took, 0.5), p95: computePercentile(took, 0.95) };
}

/** CPU time of this process so far, in ms. */
function getOwnCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Sets the latency of the server and returns its CPU time so far, in ms. */
async function getServerCpuMs(latency?: number): Promise<number> {
  server.send({ latency });
  const [said] = (await once(server, 'message')) as [{ spent: number }];
  return said.spent;
}

/** The built threads, if the app was built: from source, each also contains the TypeScript loader. */
function bundledThread() {
  const at = (thread: string) => new URL(`../../out/main/${thread}.js`, import.meta.url);
  const entries = { reader: at('reader'), writer: at('writer') };
  return existsSync(entries.writer) ? { entries } : {};
}

/** Memory of the process in MB, from the system or else from Node. */
function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
