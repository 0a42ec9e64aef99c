import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JobHandle } from '../../src/backend/jobs/job-handle.ts';
import { createBillingConnection } from '../../src/backend/sites/connection.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { syncPdfs } from '../../src/backend/sync/pdf-sync.ts';
import { createRunTally } from '../../src/backend/sync/shared/run-tally.ts';
import type { SyncContext } from '../../src/backend/sync/shared/sync-context.ts';
import { syncStatements } from '../../src/backend/sync/statements/statements.ts';
import { syncWebhooks } from '../../src/backend/sync/webhooks/webhooks.ts';
import { print } from './measure.ts';
import { measureLoad, serve } from './sync-load.ts';
import { plainPdfs, plainWebhooks } from './sync-plain.ts';
import { measureRequests } from './sync-requests.ts';

/**
 * What syncing costs: requests against the least that could do it (`syncRequests.ts`); speed against the plain pipeline
 * (`syncPlain.ts`) over the same connections, server and rows, until all is in its files; memory, and pages in the window
 * meanwhile (`syncLoad.ts`).
 * `node test/bench/sync.ts [webhooks] [pdfs] [webhooks under load]`; the bars are for 100000, 10000 and 1000000. 0 leaves a
 * part out.
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

/** What a part of a sync works with, without the job around it. */
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
  const tally = createRunTally();
  const client = createBillingConnection({
    site: file,
    key: async () => 'key',
    onRequest: (event) => tally.recordRequest(event),
  });
  const site = { file, folder: path, cache, books };
  const context = { site, client, job, tally, full: false, since: null, now: Date.now, emit: () => {} };
  const end = async () => {
    await client.close();
    closeStore(cache);
    closeStore(books);
  };
  return { context, end };
}

interface Spent {
  seconds: number;
  /** Of this process, which other load on the machine hardly changes. */
  cpu: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Each begins with a clean heap: what one way leaves behind is not for the other to sweep up. */
async function timed(work: () => Promise<unknown>): Promise<Spent> {
  collectGarbage();
  const begun = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

type Way = () => Promise<Spent>;

/** Both ways in turns, so that other load meets them alike; the best turn counts. */
async function speed(what: string, rows: number, ours: Way, plain: Way): Promise<void> {
  const own: Spent[] = [];
  const base: Spent[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    base.push(await plain());
    own.push(await ours());
  }
  for (const [of, unit] of [
    ['seconds', 'a second'],
    ['cpu', 'a second of CPU time'],
  ] as const) {
    const best = (each: Spent[]) => Math.min(...each.map((turn) => turn[of]));
    const [value, baseline] = [rows / best(own), rows / best(base)];
    const spread = Math.max(...own.map((each) => each[of])) / best(own) - 1;
    const name = `sync throughput: ${rows} ${what}, beside the plain pipeline`;
    print({ name, value, unit, baseline, ratio: value / baseline, n: TURNS, spread });
  }
}

async function measureWebhooks(url: string): Promise<void> {
  let requests = 0;
  const ours = async () => {
    const { context, end } = part(url);
    const spent = await timed(() => syncWebhooks(context).then(end));
    requests = context.tally.requestCounts().by_kind['webhooks'] ?? 0;
    return spent;
  };
  await speed('webhooks', WEBHOOKS, ours, () => timed(() => plainWebhooks(url, folder(), WEBHOOKS)));
  const baseline = Math.floor(WEBHOOKS / 200) + 1;
  print({
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
    return timed(() => syncPdfs(context).then(end));
  };
  await speed('PDFs', PDFS, ours, () => timed(() => plainPdfs(url, folder(), PDFS)));
}

try {
  await measureRequests();
  const { url, server } = await serve(WEBHOOKS, PDFS);
  if (WEBHOOKS > 0) await measureWebhooks(url);
  if (PDFS > 0) await measurePdfs(url);
  server.disconnect();
  if (LOADED > 0) await measureLoad(LOADED);
} finally {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
