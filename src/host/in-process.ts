import { setFlagsFromString } from 'node:v8';
import { type Client, createClient, type Link, type Thread } from '../contract/index.ts';
import { type HostOptions, prepare } from './prepare.ts';

/** The backend in this very process, for the command line: no threads, and nothing is loaded before it is needed. */
export interface InProcess {
  readonly home: string;
  readonly client: Client;
  readonly keychain: ReturnType<typeof prepare>['keychain'];
  readonly blobs: ReturnType<typeof prepare>['blobs'];
  /** Takes keys out of text on its way to a screen. */
  readonly redact: (text: string) => string;
  /** Finishes what is being written and closes the stores. */
  close(): Promise<void>;
}

/** @throws `storage` where the home directory cannot be used; calls fail as the contract says. */
export function openInProcess(options: HostOptions): InProcess {
  // What is made and dropped at once is swept up before it takes more room than what is kept; threads have a limit of their own.
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
