import { join } from 'node:path';
import type { WriterTuning } from '../../src/backend/handlers/commands/writer-context.ts';
import { openWriter } from '../../src/backend/open-writer.ts';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { type Client, createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';

export const SITE = 'acme';

/** What a child says to the test that started it. */
export interface Message {
  said: 'begun';
}

/** The writing half in a process of its own, so that it can be killed. */
export interface Child {
  readonly client: Client;
  /** Connects the site; false where it is connected already. */
  connected(): Promise<boolean>;
  /** From here on the test may kill. */
  begun(): void;
  /** Waits for a job's end. Throws where it was not done. */
  done(job: string): Promise<void>;
  books<T>(read: (books: ReadableDb) => T): T;
  end(): Promise<never>;
}

/** Opens the home, with the service at this address. What goes wrong is said on stderr, and ends the process with 1. */
export function openChild(home: string, { url = '', key = '' } = {}, tuning?: Partial<WriterTuning>): Child {
  const writer = openWriter(
    {
      home,
      version: '0.0.0',
      shell: memoryShell(new Map([[SITE, key]])),
      log: (record) => void process.stderr.write(`${JSON.stringify(record)}\n`),
    },
    tuning,
  );
  const client = createClient({ reader: writer.link, writer: writer.link });
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
