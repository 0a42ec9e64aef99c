import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriterTiming } from '../../src/backend/handlers/commands/writer-context.ts';
import { openBackendWriter } from '../../src/backend/open-backend-writer.ts';
import type { Backend, LogRecord } from '../../src/backend/shared/backend-start-options.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { ReadableDb, WritableDb } from '../../src/backend/store/sqlite/connection.ts';
import {
  type BackendClient,
  type ContractInputs,
  createBackendClient,
  type Job,
} from '../../src/contract/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { createMemoryShell } from './memory-shell.ts';

/** A writer with a temporary home, connected to a sandbox. */
export interface WriterTestSite {
  readonly home: string;
  /** Folder next to the home, for files that the app writes outside it. */
  readonly outputs: string;
  readonly sandbox: Sandbox;
  readonly keys: Map<string, string>;
  readonly log: LogRecord[];
  readonly client: BackendClient;
  readonly writer: Backend;
  /** Runs a sync to its end. Returns the ended job. */
  sync(input?: Partial<ContractInputs['sync']['start']>): Promise<Job>;
  /** Waits for the end of a job and returns its last state. */
  waitForJob(job: string): Promise<Job>;
  cache(): ReadableDb;
  books(): ReadableDb;
  writableBooks(): WritableDb;
  /** Opens a second writer on the same home, like another process. */
  openSecondWriter(): Pick<WriterTestSite, 'client' | 'waitForJob'>;
  /** Closes the writer and opens it again, as after a restart. */
  reopen(tuning?: Partial<WriterTiming>): Promise<void>;
  close(): Promise<void>;
}

export const SITE = 'acme';

/** Shortens the delays of the client and of replays. Everything else is as in the app. */
export const FAST_TUNING: Partial<WriterTiming> = { pacing: { delayScale: 0.001 }, delayScale: 0.01 };

export async function openWriterTestSite(
  options: SandboxOptions = {},
  tuning = FAST_TUNING,
): Promise<WriterTestSite> {
  const sandbox = await startSandbox(options);
  const outputs = mkdtempSync(join(tmpdir(), 'tieout-writer-'));
  const home = join(outputs, 'home');
  const keys = new Map<string, string>();
  const log: LogRecord[] = [];
  const startOptions = {
    home,
    version: '0.0.0',
    shell: createMemoryShell(keys),
    log: (record: LogRecord) => void log.push(record),
  };
  let writer = openBackendWriter(startOptions, tuning);
  let client = createBackendClient({ reader: writer.link, writer: writer.link });
  const openDatabases: ReadableDb[] = [];
  const secondWriters: Backend[] = [];
  const openStoreReadOnly = (kind: 'cache' | 'books') => {
    const db = openStore(join(home, 'sites', SITE, `${kind}.db`), kind, { readonly: true });
    openDatabases.push(db);
    return db;
  };
  await client.sites.add({ title: 'Acme', site: SITE, base_url: sandbox.url, api_key: sandbox.apiKey });

  const bench: WriterTestSite = {
    home,
    outputs,
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
      return bench.waitForJob(job);
    },
    waitForJob: (job) => watchJobToEnd(client, job),
    writableBooks() {
      const db = openStore(join(home, 'sites', SITE, 'books.db'), 'books');
      openDatabases.push(db);
      return db;
    },
    openSecondWriter() {
      const second = openBackendWriter(startOptions, tuning);
      secondWriters.push(second);
      const client = createBackendClient({ reader: second.link, writer: second.link });
      return { client, waitForJob: (job) => watchJobToEnd(client, job) };
    },
    cache: () => openStoreReadOnly('cache'),
    books: () => openStoreReadOnly('books'),
    async reopen(other = tuning) {
      await writer.close();
      writer = openBackendWriter(startOptions, other);
      client = createBackendClient({ reader: writer.link, writer: writer.link });
    },
    async close() {
      for (const db of openDatabases) db.close();
      for (const other of secondWriters) await other.close();
      await writer.close();
      await sandbox.close();
      rmSync(outputs, { recursive: true, force: true });
    },
  };
  return bench;
}

async function watchJobToEnd(client: BackendClient, job: string): Promise<Job> {
  let last: Job | undefined;
  for await (const now of await client.jobs.watch({ site: SITE, job })) last = now;
  if (last === undefined) throw new Error('The job was never seen.');
  return last;
}
