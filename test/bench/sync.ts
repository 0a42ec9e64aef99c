import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import type { JobHandle } from '../../src/backend/jobs/jobs.ts';
import { connectTo } from '../../src/backend/sites/connection.ts';
import { closeStore, openStore } from '../../src/backend/store/open.ts';
import type { SyncContext } from '../../src/backend/sync/context.ts';
import { syncPdfs } from '../../src/backend/sync/pdfs.ts';
import { syncStatements } from '../../src/backend/sync/statements.ts';
import { createTally } from '../../src/backend/sync/tally.ts';
import { syncWebhooks } from '../../src/backend/sync/webhooks.ts';
import { print } from './measure.ts';
import { measureLoad, serve } from './syncLoad.ts';
import { measureRequests } from './syncRequests.ts';

/**
 * What syncing costs: requests against the least that could do it (`syncRequests.ts`); speed against the plain pipeline
 * (undici pool, JSON.parse, prepared upserts, a transaction a page; for PDFs stream, hash, temporary file, fsync, rename)
 * over the same connections, server and rows; memory, and pages in the window meanwhile (`syncLoad.ts`).
 * `node test/bench/sync.ts [webhooks] [pdfs] [webhooks under load]`; the bars are for 100000, 10000 and 1000000.
 */
const WEBHOOKS = Number(process.argv[2] ?? 10_000);
const PDFS = Number(process.argv[3] ?? 500);
const LOADED = Number(process.argv[4] ?? 30_000);
const TURNS = 3;
const CONNECTIONS = 4;
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

type Row = Record<string, string | number | boolean | null>;
type Page = { webhook: Row }[];
const millis = (text: unknown) => Date.parse(String(text));

/** Where the plain pipeline puts its rows. */
interface Table {
  store(page: Page): void;
  close(): void;
}

/** A table as plain as can be that could still be browsed. */
function plainTable(): Table {
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
  const store = db.transaction((page: Page) => {
    for (const { webhook: row } of page) {
      upsert.run(
        ...[row['id'], row['event'], row['successful'] === true ? 1 : 0, millis(row['created_at'])],
        ...[row['accepted_at'], millis(row['last_sent_at']), row['last_error_at'], row['last_sent_url']],
        ...[row['last_error'], row['signature'], row['body']],
      );
    }
  });
  return { store, close: () => db.close() };
}

/** The app's own table, with all its indexes and what is counted and marked with each row, filled as plainly. */
function ownTable(): Table {
  const db = openStore(join(folder(), 'cache.db'), 'cache');
  const classes = new Map<string, number | bigint>();
  const newClass = db.prepare('INSERT INTO webhook_class (event, delivery, url) VALUES (?, 0, ?)');
  const upsert =
    db.prepare(`INSERT INTO webhook (id, class_id, successful, delivery, created_at, accepted_at, last_sent_at, last_error_at,
      subscription_id, read_at, event, created_at_text, accepted_at_text, last_sent_at_text, last_error_at_text, last_sent_url,
      last_error, signature, extra, body_form, body)
    VALUES (?, ?, ?, 0, ?, ?, ?, NULL, ?, 1, ?, ?, ?, ?, NULL, ?, ?, ?, '{}', 'form', ?) ON CONFLICT (id) DO NOTHING`);
  const store = db.transaction((page: Page) => {
    for (const { webhook: row } of page) {
      const event = String(row['event']);
      const owner = classes.get(event) ?? newClass.run(event, row['last_sent_url']).lastInsertRowid;
      classes.set(event, owner);
      const subscription = /\[subscription\]\[id\]=(\d+)/.exec(String(row['body']))?.[1] ?? null;
      upsert.run(
        ...[row['id'], owner, row['successful'] === true ? 1 : 0],
        ...[millis(row['created_at']), millis(row['accepted_at']), millis(row['last_sent_at'])],
        ...[subscription === null ? null : Number(subscription), event],
        ...[row['created_at'], row['accepted_at'], row['last_sent_at'], row['last_sent_url']],
        ...[row['last_error'], row['signature'], row['body']],
      );
    }
  });
  return { store, close: () => closeStore(db) };
}

/** Fetches pages as fast as can be, a few at once, each stored in a transaction. */
async function plainWebhooks(url: string, { store, close }: Table): Promise<void> {
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
  close();
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

type Way = () => Promise<Spent>;

/** All ways in turns, so that other load meets them alike; the best turn counts. `plain` by what each is. */
async function speed(what: string, rows: number, ours: Way, plain: Record<string, Way>): Promise<void> {
  const own: Spent[] = [];
  const base = new Map<string, Spent[]>(Object.keys(plain).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, way] of Object.entries(plain)) base.get(name)?.push(await way());
    own.push(await ours());
  }
  for (const [beside, spent] of base) {
    for (const [of, unit] of [
      ['seconds', 'rows/s'],
      ['cpu', 'rows per CPU s'],
    ] as const) {
      const best = (each: Spent[]) => Math.min(...each.map((turn) => turn[of]));
      const [value, baseline] = [rows / best(own), rows / best(spent)];
      const spread = Math.max(...own.map((each) => each[of])) / best(own) - 1;
      const name = `sync throughput: ${rows} ${what}, beside ${beside}`;
      print({ name, value, unit, baseline, ratio: value / baseline, n: TURNS, spread });
    }
  }
}

try {
  await measureRequests();
  const { url, server } = await serve(WEBHOOKS, PDFS);
  let requests = 0;
  await speed(
    'webhooks',
    WEBHOOKS,
    async () => {
      const { context, end } = part(url);
      const spent = await timed(() => syncWebhooks(context));
      requests = context.tally.requests().by_kind['webhooks'] ?? 0;
      await end();
      return spent;
    },
    {
      'the plain pipeline': () => timed(() => plainWebhooks(url, plainTable())),
      'the plain pipeline into our tables': () => timed(() => plainWebhooks(url, ownTable())),
    },
  );
  const least = Math.floor(WEBHOOKS / 200) + 1;
  print({
    name: `sync requests: ${WEBHOOKS} webhooks, first sync`,
    value: requests,
    unit: 'requests',
    baseline: least,
    ratio: requests / least,
    n: 1,
    spread: 0,
  });
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
    { 'the plain pipeline': () => timed(() => plainPdfs(url)) },
  );
  server.disconnect();
  await measureLoad(LOADED);
} finally {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
