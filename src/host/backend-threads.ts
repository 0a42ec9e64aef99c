import type { MessagePort } from 'node:worker_threads';
import type { BackendThread } from '../contract/index.ts';
import { type ManagedThread, type ManagedThreadOptions, startManagedThread } from './managed-thread.ts';

/** The worker threads of the backend: reader and writer. */
export interface BackendThreads {
  connect(thread: BackendThread): MessagePort;
  /** Ends a thread as a crash would. It restarts after a delay. */
  kill(thread: BackendThread): Promise<void>;
  /** Stops both threads after they have finished pending writes. */
  close(): Promise<void>;
}

export type BackendThreadsOptions = Omit<ManagedThreadOptions, 'name' | 'entry' | 'runStartExclusively'> & {
  readonly entries: Record<BackendThread, URL>;
};

/**
 * Starts the writer and then the reader, so that the writer has migrated the databases before the reader opens them.
 * @throws the error of a thread that does not start
 */
export async function startBackendThreads({
  entries,
  ...options
}: BackendThreadsOptions): Promise<BackendThreads> {
  let previousStart: Promise<void> = Promise.resolve();
  const runStartExclusively = (start: () => Promise<void>) => {
    const currentStart = previousStart.then(start);
    previousStart = currentStart.catch(() => undefined);
    return currentStart;
  };
  const threads: ManagedThread[] = [];
  const close = async () => void (await Promise.all(threads.map((thread) => thread.close())));
  const startThread = async (name: BackendThread) => {
    const thread = startManagedThread({ ...options, name, entry: entries[name], runStartExclusively });
    threads.push(thread);
    await thread.ready;
    return thread;
  };
  try {
    const writer = await startThread('writer');
    const reader = await startThread('reader');
    const find = (name: BackendThread) => (name === 'reader' ? reader : writer);
    return { connect: (name) => find(name).connect(), kill: (name) => find(name).kill(), close };
  } catch (error) {
    await close();
    throw error;
  }
}
