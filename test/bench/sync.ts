import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JobHandle } from '../../src/backend/jobs/job-handle.ts';
import { createBillingConnection } from '../../src/backend/sites/billing-connection.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import type { SyncContext } from '../../src/backend/sync/shared/sync-context.ts';
import { SyncTotals } from '../../src/backend/sync/shared/sync-totals.ts';
import { syncStatements } from '../../src/backend/sync/statements/sync-statements.ts';
import { syncPdfs } from '../../src/backend/sync/sync-pdfs.ts';
import { syncWebhooks } from '../../src/backend/sync/webhooks/sync-webhooks.ts';
import { printMeasurement } from './measure.ts';
import { measureSyncLoad, startPageServer } from './sync-load.ts';
import { downloadPlainPdfs, syncPlainWebhooks } from './sync-plain.ts';
import { measureSyncRequests } from './sync-requests.ts';

/**
 * Measures a sync: requests compared with the minimum (`sync-requests.ts`), speed compared with the plain pipeline
 * (`sync-plain.ts`) with the same connections, server and rows, memory, and list pages in the window meanwhile
 * (`sync-load.ts`). `node test/bench/sync.ts [webhooks] [pdfs] [webhooks under load]`. The limits are for 100000, 10000
 * and 1000000. 0 skips a part.
 */
const WEBHOOKS = Number(process.argv[2] ?? 10_000);
const PDFS = Number(process.argv[3] ?? 500);
const LOADED = Number(process.argv[4] ?? 300_000);
const TURNS = 3;
const SITE = 'bench';

const folders: string[] = [];
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  folders.push(path);
  return path;
}

/** Dependencies of a sync part without the job. */
function part(url: string): { context: SyncContext; end: () => Promise<void> } {
  const path = folder();
  const cache = openStore(join(path, 'cache.db'), 'cache');
  const books = openStore(join(path, 'books.db'), 'books');
  const file = {
    site: SITE,
    title: SITE,
    base_url: url,
    format: 'json',
    currency: 'USD',
    service_details: null,
    demo: false,
    created_at: '',
  } as const;
  const job: JobHandle = {
    id: 'bench',
    site: SITE,
    signal: new AbortController().signal,
    progress: () => {},
    setPaused: () => {},
    onCommand: () => {},
  };
  const tally = new SyncTotals();
  const client = createBillingConnection({
    site: file,
    key: async () => 'key',
    onRequest: (event) => tally.recordRequest(event),
  });
  const site = { file, folder: path, cache, books };
  const context = {
    site,
    client,
    job,
    tally,
    full: false,
    closedPeriods: [],
    since: null,
    now: Date.now,
    emit: () => {},
  };
  const end = async () => {
    await client.close();
    closeStore(cache);
    closeStore(books);
  };
  return { context, end };
}

interface SyncTime {
  seconds: number;
  /** CPU time of this process, which other load on the machine hardly affects. */
  cpu: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Each starts with a clean heap, so that neither collects the garbage of the other. */
async function measureSync(work: () => Promise<unknown>): Promise<SyncTime> {
  collectGarbage();
  const begun = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

type SyncMethod = () => Promise<SyncTime>;

/** Runs both alternately, so that other load affects both. The best turn counts. */
async function compareSpeed(what: string, rows: number, ours: SyncMethod, plain: SyncMethod): Promise<void> {
  const own: SyncTime[] = [];
  const base: SyncTime[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    base.push(await plain());
    own.push(await ours());
  }
  for (const [of, unit] of [
    ['seconds', 'a second'],
    ['cpu', 'a second of CPU time'],
  ] as const) {
    const best = (each: SyncTime[]) => Math.min(...each.map((turn) => turn[of]));
    const [value, baseline] = [rows / best(own), rows / best(base)];
    const spread = Math.max(...own.map((each) => each[of])) / best(own) - 1;
    const name = `sync throughput: ${rows} ${what}, beside the plain pipeline`;
    printMeasurement({ name, value, unit, baseline, ratio: value / baseline, n: TURNS, spread });
  }
}

async function measureWebhooks(url: string): Promise<void> {
  let requests = 0;
  const ours = async () => {
    const { context, end } = part(url);
    const spent = await measureSync(() => syncWebhooks(context).then(end));
    requests = context.tally.countRequests().by_kind['webhooks'] ?? 0;
    return spent;
  };
  await compareSpeed('webhooks', WEBHOOKS, ours, () =>
    measureSync(() => syncPlainWebhooks(url, folder(), WEBHOOKS)),
  );
  const baseline = Math.floor(WEBHOOKS / 200) + 1;
  printMeasurement({
    name: `sync requests: ${WEBHOOKS} webhooks, first sync`,
    value: requests,
    unit: 'requests',
    baseline,
    ratio: requests / baseline,
    n: 1,
    spread: 0,
  });
}

async function measurePdfs(url: string): Promise<void> {
  const ours = async () => {
    const { context, end } = part(url);
    await syncStatements(context);
    return measureSync(() => syncPdfs(context).then(end));
  };
  await compareSpeed('PDFs', PDFS, ours, () => measureSync(() => downloadPlainPdfs(url, folder(), PDFS)));
}

try {
  await measureSyncRequests();
  const { url, server } = await startPageServer(WEBHOOKS, PDFS);
  if (WEBHOOKS > 0) await measureWebhooks(url);
  if (PDFS > 0) await measurePdfs(url);
  server.disconnect();
  if (LOADED > 0) await measureSyncLoad(LOADED);
} finally {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
