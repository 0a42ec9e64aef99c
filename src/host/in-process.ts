import { setFlagsFromString } from 'node:v8';
import { type Client, createClient, type Link, type Thread } from '../contract/index.ts';
import { type HostOptions, prepare } from './prepare.ts';

/** The backend in this process, for the command line: no threads, and everything is loaded on demand. */
export interface InProcess {
  readonly home: string;
  readonly client: Client;
  readonly keychain: ReturnType<typeof prepare>['keychain'];
  readonly blobs: ReturnType<typeof prepare>['blobs'];
  /** Removes keys from text before it is shown. */
  readonly redact: (text: string) => string;
  /** Finishes pending writes and closes the databases. */
  close(): Promise<void>;
}

/** @throws `storage` if the data directory cannot be used; calls fail with contract errors */
export function openInProcess(options: HostOptions): InProcess {
  // Keeps the young generation small, so that short-lived objects are collected early. Threads have a limit of their own.
  setFlagsFromString('--semi-space-growth-factor=1');
  const ground = prepare(options);
  const { home, keychain, blobs, redactor, log, user } = ground;
  const opened: Partial<Record<Thread, ReturnType<typeof open>>> = {};

  async function open(thread: Thread) {
    const backend = await import('../backend/index.ts');
    const start = { home, version: options.version, shell: ground.shell.client, log, user };
    return thread === 'reader' ? backend.openReader(start) : backend.openWriter(start);
  }

  const linkTo = (thread: Thread): Link => ({
    async call(path, input, callOptions) {
      opened[thread] ??= open(thread);
      const { link } = await opened[thread];
      return await link.call(path, input, callOptions);
    },
  });

  return {
    home,
    keychain,
    blobs,
    redact: redactor.redact,
    client: createClient({ reader: linkTo('reader'), writer: linkTo('writer') }),
    async close() {
      for (const thread of ['writer', 'reader'] as const) await (await opened[thread])?.close();
      await ground.close();
    },
  };
}
