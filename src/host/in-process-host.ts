import { setFlagsFromString } from 'node:v8';
import { createORPCClient } from '@orpc/client';
import type { BackendClient, BackendLink, BackendThread } from '../contract/index.ts';
import { createHostServices, type HostOptions } from './host-services.ts';

/** Backend that runs in the calling process, for the command line. It uses no threads and loads everything on demand. */
export type InProcessHost = ReturnType<typeof openInProcessHost>;

/** Opens the backend in this process. Throws `storage` if the data directory cannot be used. */
export function openInProcessHost(options: HostOptions) {
  // Keeps the young generation of the heap small, so that short-lived objects are collected early.
  setFlagsFromString('--semi-space-growth-factor=1');
  const services = createHostServices(options);
  const { home, keychain, blobs, redactor, log, user } = services;
  const opened: Partial<Record<BackendThread, ReturnType<typeof start>>> = {};

  function open(thread: BackendThread) {
    opened[thread] ??= start(thread);
    return opened[thread];
  }

  async function start(thread: BackendThread) {
    const backend = await import('../backend/index.ts');
    const { version } = options;
    const startOptions = { home, version, shell: services.shell.client, log, user };
    return thread === 'reader'
      ? backend.openBackendReader(startOptions)
      : backend.openBackendWriter(startOptions);
  }

  const link: BackendLink = {
    async call(path, input, callOptions) {
      const reader = await open('reader');
      const backend = (await reader.hasProcedure(path)) ? reader : await open('writer');
      return await backend.link.call(path, input, callOptions);
    },
  };

  return {
    home,
    keychain,
    blobs,
    /** Removes API keys from a text before it is shown. */
    redact: redactor.redact,
    client: createORPCClient<BackendClient>(link),
    /** Finishes pending writes and closes the databases. */
    async close(): Promise<void> {
      for (const thread of ['writer', 'reader'] as const) await (await opened[thread])?.close();
      await services.close();
    },
  };
}
