/* biome-ignore-all lint/suspicious/noConsole: a benchmark prints what it measured */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import type { JobHandle } from '../../src/backend/jobs/jobs.ts';
import { openWriter } from '../../src/backend/openWriter.ts';
import { connectTo } from '../../src/backend/sites/connection.ts';
import { closeStore, openStore } from '../../src/backend/store/open.ts';
import { listRuns } from '../../src/backend/store/syncStatus.ts';
import type { SyncContext } from '../../src/backend/sync/context.ts';
import { syncPdfs } from '../../src/backend/sync/pdfs.ts';
import { syncStatements } from '../../src/backend/sync/statements.ts';
import { createTally } from '../../src/backend/sync/tally.ts';
import { syncWebhooks } from '../../src/backend/sync/webhooks.ts';
import { type Client, createClient, type Inputs, type SyncRun } from '../../src/contract/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { memoryShell } from '../backend/shell.ts';

/**
 * What syncing costs: requests against the least that could do it, reckoned from the service's own data, and speed against
 * the plain pipeline (undici pool, JSON.parse, prepared upserts, a transaction a page; for PDFs stream, hash, temporary
 * file, fsync, rename) over the same connections, server and rows. `node test/bench/sync.ts [webhooks] [pdfs]`.
 */
const WEBHOOKS = Number(process.argv[2] ?? 10_000);
const PDFS = Number(process.argv[3] ?? 500);
const TURNS = 3;
const CONNECTIONS = 4;
const SITE = 'bench';
const SERVER = fileURLToPath(new URL('./pageServer.ts', import.meta.url));

interface Measure {
  name: string;
  value: number;
  unit: string;
  baseline: number;
  ratio: number;
  n: number;
  spread: number;
}

function print(measure: Measure): void {
  const rounded = Object.entries(measure).map(([key, value]) => [
    key,
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
}

const folders: string[] = [];
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  folders.push(path);
  return path;
}

/** A home with the service at this address as its site. */
async function connect(url: string, key: string) {
  const home = folder();
  const writer = openWriter({ home, version: '0.0.0', shell: memoryShell(), log: () => {} });
  const client = createClient({ reader: writer.link, writer: writer.link });
  await client.sites.add({ title: SITE, site: SITE, base_url: url, api_key: key });
  return { home, writer, client };
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
    paused: () => {},
    onWish: () => {},
  };
  const tally = createTally();
  const client = connectTo({
    site: file,
    key: async () => 'key',
    onRequest: (event) => tally.request(event),
  });
  const site = { file, folder: path, cache, books };
  const context = { site, client, job, tally, full: false, since: null, now: Date.now, tell: () => {} };
  const end = async () => {
    await client.close();
    closeStore(cache);
    closeStore(books);
  };
  return { context, end };
}

async function sync(client: Client, home: string, only: Inputs['sync']['start']['only']): Promise<SyncRun> {
  const { job } = await client.sync.start({ site: SITE, ...(only === undefined ? {} : { only }) });
  for await (const now of await client.jobs.watch({ site: SITE, job })) {
    if (now.state === 'failed') throw new Error(now.error?.message);
  }
  const cache = openStore(join(home, 'sites', SITE, 'cache.db'), 'cache', { readonly: true });
  const [run] = listRuns(cache, 1);
  cache.close();
  if (run?.complete !== true) throw new Error('The sync is not complete.');
  return run;
}

/** The least requests that a first sync of this service needs, from what it has. */
function leastOf({ truth }: Sandbox) {
  const { webhooks } = truth.counts();
  const bySubscription = new Map<unknown, number>();
  let statements = 0;
  for (const { subscription_id } of truth.statements()) {
    statements++;
    bySubscription.set(subscription_id, (bySubscription.get(subscription_id) ?? 0) + 1);
  }
  const bodies = [...bySubscription.values()].reduce(
    (sum, all) => sum + Math.min(all, Math.ceil(all / 200)),
    0,
  );
  return {
    webhooks: Math.floor(webhooks / 200) + 1,
    statement_ids: Math.floor(statements / 10_000) + 1,
    bodies,
    allocations: [...truth.pairs()].reduce(
      (sum, pair) => sum + Math.floor(truth.allocations(pair).length / 50) + 1,
      0,
    ),
  };
}

async function requests(): Promise<void> {
  const sandbox = await startSandbox({ subscriptions: 200, months: 8, webhooks: 8000 });
  const { home, writer, client } = await connect(sandbox.url, sandbox.apiKey);
  const least = leastOf(sandbox);
  const { by_kind } = (await sync(client, home, undefined)).requests;
  const of = (...kinds: string[]) => kinds.reduce((sum, kind) => sum + (by_kind[kind] ?? 0), 0);
  const rows: [string, number, number][] = [
    ['webhooks', of('webhooks'), least.webhooks],
    ['statement ids', of('statement_ids'), least.statement_ids],
    ['statement bodies', of('statements', 'statement'), least.bodies],
    ['allocations', of('allocations'), least.allocations],
  ];
  for (const [what, value, baseline] of rows) {
    const name = `sync requests: ${what}, first sync`;
    print({ name, value, unit: 'requests', baseline, ratio: value / baseline, n: 1, spread: 0 });
  }
  const { requests: again } = await sync(client, home, undefined);
  print({
    name: 'sync requests: nothing changed',
    value: again.total,
    unit: 'requests',
    baseline: 3,
    ratio: again.total / 3,
    n: 1,
    spread: 0,
  });
  await writer.close();
  await sandbox.close();
}

/** Fetches pages as fast as can be, a few at once, each stored in a transaction. */
async function plainWebhooks(url: string): Promise<void> {
  const db = new Database(join(folder(), 'plain.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -65536');
  db.exec(`CREATE TABLE webhook (id INTEGER PRIMARY KEY, event TEXT, successful INTEGER, created_at INTEGER, accepted_at TEXT,
      last_sent_at INTEGER, last_error_at TEXT, last_sent_url TEXT, last_error TEXT, signature TEXT, body TEXT) STRICT;
    CREATE INDEX by_created ON webhook (created_at);
    CREATE INDEX by_event ON webhook (event, created_at);
    CREATE INDEX by_sent ON webhook (last_sent_at);
    CREATE INDEX by_failed ON webhook (event, created_at) WHERE successful = 0;`);
  const upsert =
    db.prepare(`INSERT INTO webhook VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    successful = excluded.successful, accepted_at = excluded.accepted_at, last_sent_at = excluded.last_sent_at,
    last_error_at = excluded.last_error_at, last_sent_url = excluded.last_sent_url, last_error = excluded.last_error`);
  const store = db.transaction((page: { webhook: Record<string, string | number | boolean | null> }[]) => {
    for (const { webhook: row } of page) {
      upsert.run(
        ...[
          row['id'],
          row['event'],
          row['successful'] === true ? 1 : 0,
          Date.parse(String(row['created_at'])),
        ],
        ...[
          row['accepted_at'],
          Date.parse(String(row['last_sent_at'])),
          row['last_error_at'],
          row['last_sent_url'],
        ],
        ...[row['last_error'], row['signature'], row['body']],
      );
    }
  });
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let next = 1;
  const work = async () => {
    for (let page = next++; page <= Math.floor(WEBHOOKS / 200) + 1; page = next++) {
      const path = `/webhooks.json?order=oldest_first&page=${page}&per_page=200`;
      const { body } = await pool.request({ path, method: 'GET' });
      store(JSON.parse(await body.text()));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.close();
  db.close();
}

async function plainPdfs(url: string): Promise<void> {
  const to = folder();
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let next = 0;
  const work = async () => {
    for (let n = next++; n < PDFS; n = next++) {
      const { body } = await pool.request({ path: `/statements/${1000 + n}.pdf`, method: 'GET' });
      const hash = createHash('sha256');
      const temporary = join(to, `${n}.part`);
      const file = await open(temporary, 'wx');
      for await (const chunk of body) {
        hash.update(chunk);
        await file.write(chunk);
      }
      await file.sync();
      await file.close();
      const digest = hash.digest('hex');
      mkdirSync(join(to, digest.slice(0, 2)), { recursive: true });
      await rename(temporary, join(to, digest.slice(0, 2), `${n}-${digest}.pdf`));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.close();
}

interface Spent {
  seconds: number;
  /** Of this process, which other load on the machine hardly changes. */
  cpu: number;
}

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const begun = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

/** Both ways in turns, so that other load meets them alike; the best turn counts. */
async function speed(what: string, rows: number, ours: () => Promise<Spent>, plain: () => Promise<Spent>) {
  const [own, base]: [Spent[], Spent[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    base.push(await plain());
    own.push(await ours());
  }
  for (const [of, unit] of [
    ['seconds', 'rows/s'],
    ['cpu', 'rows per CPU s'],
  ] as const) {
    const best = (spent: Spent[]) => Math.min(...spent.map((each) => each[of]));
    const [value, baseline] = [rows / best(own), rows / best(base)];
    const spread = Math.max(...own.map((each) => each[of])) / best(own) - 1;
    print({
      name: `sync throughput: ${rows} ${what}`,
      value,
      unit,
      baseline,
      ratio: value / baseline,
      n: TURNS,
      spread,
    });
  }
}

async function serve(...sizes: number[]): Promise<{ url: string; server: ChildProcess }> {
  const server = fork(SERVER, sizes.map(String));
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return { url, server };
}

try {
  await requests();
  const { url, server } = await serve(WEBHOOKS, PDFS);
  await speed(
    'webhooks',
    WEBHOOKS,
    async () => {
      const { context, end } = part(url);
      const spent = await timed(() => syncWebhooks(context));
      await end();
      return spent;
    },
    () => timed(() => plainWebhooks(url)),
  );
  await speed(
    'PDFs',
    PDFS,
    async () => {
      const { context, end } = part(url);
      await syncStatements(context);
      const spent = await timed(() => syncPdfs(context));
      await end();
      return spent;
    },
    () => timed(() => plainPdfs(url)),
  );
  server.disconnect();
} finally {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
