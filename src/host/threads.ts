import type { MessagePort } from 'node:worker_threads';
import type { Thread } from '../contract/index.ts';
import { type KeptThread, keepThread, type ThreadOptions } from './thread.ts';

/** The backend's two threads. */
export interface Threads {
  /** Opens a port to one of them. */
  connect(thread: Thread): MessagePort;
  /** Stops both after pending writes. */
  close(): Promise<void>;
}

export type ThreadsOptions = Omit<ThreadOptions, 'name' | 'entry' | 'inTurn'> & {
  readonly entries: Record<Thread, URL>;
};

/**
 * Starts the writer, then the reader, so that the reader finds migrated databases.
 * @throws the error of a thread that does not start
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
