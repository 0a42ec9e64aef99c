import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Client,
  contractError,
  createClient,
  type ErrorValue,
  errorOf,
  kindOf,
  type Link,
  type Thread,
} from '../../contract/index.ts';
import type { Backend } from './connect.ts';

export type ConnectionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open' }
  /** The connection ended; it is being restored. */
  | { readonly phase: 'lost' }
  /** The host will not have this page; trying again is of no use. */
  | { readonly phase: 'refused'; readonly error: ErrorValue };

/** The window's lasting connection: backends come and go beneath it. */
export interface Connection {
  readonly client: Client;
  readonly state: StoreApi<ConnectionState>;
  /** Which shell answers; null before the first connection. */
  shell(): Backend['shell'] | null;
  readBlob(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Called after each connection but the first: what was asked before may have changed meanwhile. */
  onRestored(listener: () => void): () => void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Connects, and connects anew whenever the connection ends. A query that was under way is asked again;
 * a command is never sent twice: it rejects with `disconnected`, and the user decides.
 */
export function keepConnected(connect: () => Promise<Backend>): Connection {
  const state = createStore<ConnectionState>(() => ({ phase: 'connecting' }));
  const restored = new Set<() => void>();
  let known: Backend['shell'] | null = null;
  let current = promised<Backend>();
  let backend: Backend | null = null;

  async function run(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        backend = await connect();
        break;
      } catch (thrown) {
        const error = errorOf(thrown);
        if (error.code === 'auth') {
          state.setState({ phase: 'refused', error }, true);
          current.reject(thrown);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    const again = known !== null;
    known = backend.shell;
    backend.closed.addEventListener('abort', lost, { once: true });
    current.resolve(backend);
    state.setState({ phase: 'open' }, true);
    if (again) for (const listener of restored) listener();
  }

  function lost(): void {
    backend = null;
    current = promised<Backend>();
    state.setState({ phase: 'lost' }, true);
    void run();
  }

  function link(thread: Thread): Link {
    return {
      async call(path, input, options) {
        if (kindOf(path) !== 'query') {
          return (backend ?? fail()).writer.call(path, input, options);
        }
        for (;;) {
          const open = await unlessAborted(current.promise, options.signal);
          try {
            return await open[thread].call(path, input, options);
          } catch (thrown) {
            if (options.signal?.aborted || errorOf(thrown).code !== 'disconnected') throw thrown;
            await unlessAborted(gone(open), options.signal);
          }
        }
      },
    };
  }

  void run();
  return {
    client: createClient({ reader: link('reader'), writer: link('writer') }),
    state,
    shell: () => known,
    readBlob: (id) => (backend ?? fail()).readBlob(id),
    onRestored(listener) {
      restored.add(listener);
      return () => restored.delete(listener);
    },
  };
}

function fail(): never {
  throw contractError({
    code: 'disconnected',
    message: 'Tieout does not answer.',
    hint: 'It was not sent. Try again once the connection is back.',
    retryable: true,
  });
}

/** Settles when this backend's end was noticed, so that a query is not asked of a dying one in a circle. */
function gone(backend: Backend): Promise<void> {
  return new Promise((resolve) => {
    if (backend.closed.aborted) resolve();
    else backend.closed.addEventListener('abort', () => resolve(), { once: true });
  });
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

interface Promised<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

function promised<T>(): Promised<T> {
  const made = Promise.withResolvers<T>();
  // Nobody may be waiting when it is refused.
  made.promise.catch(() => undefined);
  return made;
}
