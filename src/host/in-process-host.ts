import { setFlagsFromString } from 'node:v8';
import { type Client, createClient, type Link, type Thread } from '../contract/index.ts';
import { createHostServices, type HostOptions } from './host-services.ts';

/** Backend that runs in the calling process, for the command line. It uses no threads and loads everything on demand. */
export interface InProcessHost {
  readonly home: string;
  readonly client: Client;
  readonly keychain: ReturnType<typeof createHostServices>['keychain'];
  readonly blobs: ReturnType<typeof createHostServices>['blobs'];
  /** Removes keys from a text before it is shown. */
  readonly redact: (text: string) => string;
  /** Finishes pending writes and closes the databases. */
  close(): Promise<void>;
}

/**
 * Opens the backend in this process. Calls reject with contract errors.
 * @throws `storage` if the data directory cannot be used
 */
export function openInProcessHost(options: HostOptions): InProcessHost {
  // Keeps the young generation of the heap small, so that short-lived objects are collected early. Threads have their own
  // limit.
  setFlagsFromString('--semi-space-growth-factor=1');
  const services = createHostServices(options);
  const { home, keychain, blobs, redactor, log, user } = services;
  const opened: Partial<Record<Thread, ReturnType<typeof open>>> = {};

  async function open(thread: Thread) {
    const backend = await import('../backend/index.ts');
    const start = { home, version: options.version, shell: services.shell.client, log, user };
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
      await services.close();
    },
  };
}
