import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriterTuning } from '../../src/backend/handlers/commands/writer-context.ts';
import { openWriter } from '../../src/backend/open-writer.ts';
import type { Backend, LogRecord } from '../../src/backend/shared/start-options.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { ReadableDb, WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import { type Client, createClient, type Inputs, type Job } from '../../src/contract/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { memoryShell } from './shell.ts';

/** The writing half over a temporary home, with a sandbox as the other end. */
export interface Workbench {
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly keys: Map<string, string>;
  readonly log: LogRecord[];
  readonly client: Client;
  readonly writer: Backend;
  /** Runs a sync to its end; gives the job as it ended. */
  sync(input?: Partial<Inputs['sync']['start']>): Promise<Job>;
  /** The job's last state. */
  ended(job: string): Promise<Job>;
  cache(): ReadableDb;
  books(): ReadableDb;
  writableBooks(): WritableDb;
  /** A second writing half on the same home, as another process has it. */
  another(): Pick<Workbench, 'client' | 'ended'>;
  /** Ends the writing half and opens it again, as after a restart. */
  reopen(tuning?: Partial<WriterTuning>): Promise<void>;
  close(): Promise<void>;
}

export const SITE = 'acme';

/** Waits of the client and of replays are shortened; everything else is as in the app. */
export const quick: Partial<WriterTuning> = { pacing: { delayScale: 0.001 }, delayScale: 0.01 };

export async function openWorkbench(options: SandboxOptions = {}, tuning = quick): Promise<Workbench> {
  const sandbox = await startSandbox(options);
  const home = mkdtempSync(join(tmpdir(), 'tieout-writer-'));
  const keys = new Map<string, string>();
  const log: LogRecord[] = [];
  const start = {
    home,
    version: '0.0.0',
    shell: memoryShell(keys),
    log: (record: LogRecord) => void log.push(record),
  };
  let writer = openWriter(start, tuning);
  let client = createClient({ reader: writer.link, writer: writer.link });
  const opened: ReadableDb[] = [];
  const others: Backend[] = [];
  const store = (kind: 'cache' | 'books') => {
    const db = openStore(join(home, 'sites', SITE, `${kind}.db`), kind, { readonly: true });
    opened.push(db);
    return db;
  };
  await client.sites.add({ title: 'Acme', site: SITE, base_url: sandbox.url, api_key: sandbox.apiKey });

  const bench: Workbench = {
    home,
    sandbox,
    keys,
    log,
    get client() {
      return client;
    },
    get writer() {
      return writer;
    },
    async sync(input) {
      const { job } = await client.sync.start({ site: SITE, ...input });
      return bench.ended(job);
    },
    ended: (job) => ended(client, job),
    writableBooks() {
      const db = openStore(join(home, 'sites', SITE, 'books.db'), 'books');
      opened.push(db);
      return db;
    },
    another() {
      const second = openWriter(start, tuning);
      others.push(second);
      const client = createClient({ reader: second.link, writer: second.link });
      return { client, ended: (job) => ended(client, job) };
    },
    cache: () => store('cache'),
    books: () => store('books'),
    async reopen(other = tuning) {
      await writer.close();
      writer = openWriter(start, other);
      client = createClient({ reader: writer.link, writer: writer.link });
    },
    async close() {
      for (const db of opened) db.close();
      for (const other of others) await other.close();
      await writer.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return bench;
}

async function ended(client: Client, job: string): Promise<Job> {
  let last: Job | undefined;
  for await (const now of await client.jobs.watch({ site: SITE, job })) last = now;
  if (last === undefined) throw new Error('The job was never seen.');
  return last;
}
