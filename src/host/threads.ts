import type { MessagePort } from 'node:worker_threads';
import type { Thread } from '../contract/index.ts';
import { type KeptThread, keepThread, type ThreadOptions } from './thread.ts';

/** The backend's two threads. */
export interface Threads {
  /** A new port to one of them. */
  connect(thread: Thread): MessagePort;
  /** Ends both; what they are writing is finished first. */
  close(): Promise<void>;
}

export type ThreadsOptions = Omit<ThreadOptions, 'name' | 'entry' | 'inTurn'> & {
  readonly entries: Record<Thread, URL>;
};

/**
 * Starts the writer and then the reader, so that the reader finds stores that are migrated.
 * @throws what the thread threw, where one does not come up at all.
 */
export async function startThreads({ entries, ...options }: ThreadsOptions): Promise<Threads> {
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (start: () => Promise<void>) => {
    const mine = turn.then(start);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const kept: KeptThread[] = [];
  const close = async () => void (await Promise.all(kept.map((thread) => thread.close())));
  const keep = async (name: Thread) => {
    const thread = keepThread({ ...options, name, entry: entries[name], inTurn });
    kept.push(thread);
    await thread.ready;
    return thread;
  };
  try {
    const writer = await keep('writer');
    const reader = await keep('reader');
    return { connect: (thread) => (thread === 'reader' ? reader : writer).connect(), close };
  } catch (error) {
    await close();
    throw error;
  }
}
