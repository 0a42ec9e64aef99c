import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Pool } from 'undici';

/**
 * Baseline of a sync: the same rows and files from the same server, fetched and stored as simply and fast as possible.
 */
const CONNECTIONS = 4;

type Row = Record<string, string | number | boolean | null>;
type Page = { webhook: Row }[];
const millis = (text: unknown) => Date.parse(String(text));

/** The simplest table that could still be browsed. */
function createPlainTable(folder: string) {
  const db = new Database(join(folder, 'plain.db'));
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

/** Fetches several pages concurrently and stores each in one transaction: undici, JSON.parse, prepared upserts. */
export async function syncPlainWebhooks(url: string, folder: string, rows: number): Promise<void> {
  const { store, close } = createPlainTable(folder);
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let next = 1;
  const work = async () => {
    for (let page = next++; page <= Math.floor(rows / 200) + 1; page = next++) {
      const path = `/webhooks.json?order=oldest_first&page=${page}&per_page=200`;
      const { body } = await pool.request({ path, method: 'GET' });
      store(JSON.parse(await body.text()));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await pool.close();
  close();
}

/** Fetches several files concurrently: stream, hash, temporary file, fsync, rename. */
export async function downloadPlainPdfs(url: string, to: string, files: number): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let next = 0;
  const work = async () => {
    for (let n = next++; n < files; n = next++) {
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
