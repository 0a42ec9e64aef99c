import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriterTiming } from '../../src/backend/handlers/commands/writer-context.ts';
import { openBackendWriter } from '../../src/backend/open-backend-writer.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { type BackendClient, createBackendClient } from '../../src/contract/index.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';

export const SITE = 'acme';

/** Messages of a child process to the test that started it. */
export interface Message {
  said: 'begun';
}

/** The backend's writer in a separate process that can be killed. */
export interface Child {
  readonly client: BackendClient;
  /** Connects the site. Returns false if it is already connected. */
  connected(): Promise<boolean>;
  /** Tells the test that it may kill the process from now on. */
  begun(): void;
  /** Waits for the end of a job. Throws if it did not succeed. */
  done(job: string): Promise<void>;
  books<T>(read: (books: ReadableDb) => T): T;
  end(): Promise<never>;
}

/** Opens the home with the service at this URL. An error is printed to stderr and ends the process with exit code 1. */
export function openChild(
  home: string,
  { key = '', url = '', sharedKey = '' } = {},
  tuning?: Partial<WriterTiming>,
): Child {
  const writer = openBackendWriter(
    {
      home,
      version: '0.0.0',
      shell: createMemoryShell(openStoredKeys(home, key, sharedKey)),
      log: (record) => void process.stderr.write(`${JSON.stringify(record)}\n`),
    },
    tuning,
  );
  const client = createBackendClient({ reader: writer.link, writer: writer.link });
  return {
    client,
    async connected() {
      try {
        await client.sites.add({ title: SITE, site: SITE, base_url: url, api_key: key });
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'conflict') return false;
        throw error;
      }
    },
    begun: () => void process.send?.({ said: 'begun' } satisfies Message),
    async done(job) {
      let state = '';
      let reason: unknown;
      for await (const now of await client.jobs.watch({ site: SITE, job })) {
        ({ state, error: reason } = now);
      }
      if (state !== 'done') throw new Error(`The job is ${state}: ${JSON.stringify(reason)}`);
    },
    books(read) {
      const books = openStore(join(home, 'sites', SITE, 'books.db'), 'books', { readonly: true });
      try {
        return read(books);
      } finally {
        books.close();
      }
    },
    async end() {
      await writer.close();
      process.exit(0);
    },
  };
}

function openStoredKeys(home: string, key: string, sharedKey: string): Map<string, string> {
  const keys = new StoredKeys(home).set(SITE, key);
  return sharedKey === '' ? keys : keys.set(`${SITE}/shared-key`, sharedKey);
}

/** Keys in a file of the home, because a keychain keeps them when the process is killed. */
class StoredKeys extends Map<string, string> {
  readonly #path: string;

  constructor(home: string) {
    super();
    this.#path = join(home, 'test-keychain.json');
    if (!existsSync(this.#path)) return;
    for (const [name, key] of JSON.parse(readFileSync(this.#path, 'utf8'))) super.set(name, key);
  }

  override set(name: string, key: string): this {
    super.set(name, key);
    writeFileSync(`${this.#path}.new`, JSON.stringify([...this]));
    renameSync(`${this.#path}.new`, this.#path);
    return this;
  }
}
