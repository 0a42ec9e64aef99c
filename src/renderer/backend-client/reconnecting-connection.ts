import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type BackendClient,
  type BackendLink,
  type BackendThread,
  createBackendClient,
  type ErrorValue,
  getProcedureKind,
  toContractError,
} from '../../contract/index.ts';
import { type BackendSession, createDisconnectedError } from './connect-backend.ts';

export type ConnectionState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open' }
  /** The session has ended and is being restored. */
  | { readonly phase: 'lost' }
  /** The host refuses this page. Retrying is useless. */
  | { readonly phase: 'refused'; readonly error: ErrorValue };

/** Connection to the backend for the lifetime of the window. It opens a new session whenever the current one ends. */
export interface ReconnectingConnection {
  readonly client: BackendClient;
  readonly state: StoreApi<ConnectionState>;
  /** Returns the client for the window in Electron; null in a browser and before the first session. */
  windowShell(): BackendSession['windowShell'];
  readBlob(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Calls the listener after each reconnect, because answers received before it may be out of date. */
  onReconnected(listener: () => void): () => void;
}

const FIRST_RETRY_DELAY_MS = 200;
const MAX_RETRY_DELAY_MS = 5_000;

/**
 * Connects to the backend, and reconnects whenever the session ends. Interrupted queries are repeated. Interrupted
 * commands reject with `disconnected` and are never repeated, so that the user decides.
 */
export function createReconnectingConnection(connect: () => Promise<BackendSession>): ReconnectingConnection {
  const state = createStore<ConnectionState>(() => ({ phase: 'connecting' }));
  const reconnectListeners = new Set<() => void>();
  let isFirstSession = true;
  let current = createPendingSession();
  let backend: BackendSession | null = null;

  async function run(): Promise<void> {
    for (let delayMs = FIRST_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        backend = await connect();
        break;
      } catch (thrown) {
        if (isRefused(thrown)) {
          refuse(thrown);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    const isReconnect = !isFirstSession;
    isFirstSession = false;
    backend.closed.addEventListener('abort', lost, { once: true });
    current.resolve(backend);
    state.setState({ phase: 'open' }, true);
    if (isReconnect) for (const listener of reconnectListeners) listener();
  }

  function refuse(thrown: unknown): void {
    state.setState({ phase: 'refused', error: toContractError(thrown) }, true);
    current.reject(thrown);
  }

  function lost(this: AbortSignal): void {
    backend = null;
    current = createPendingSession();
    if (isRefused(this.reason)) {
      refuse(this.reason);
      return;
    }
    state.setState({ phase: 'lost' }, true);
    void run();
  }

  function link(thread: BackendThread): BackendLink {
    return {
      async call(path, input, options) {
        if (getProcedureKind(path) !== 'query') {
          return (backend ?? throwDisconnected()).writer.call(path, input, options);
        }
        return await repeatIfDisconnected((open) => open[thread].call(path, input, options), options.signal);
      },
    };
  }

  async function repeatIfDisconnected<T>(
    query: (open: BackendSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    for (;;) {
      const open = await rejectOnAbort(current.promise, signal);
      try {
        return await query(open);
      } catch (thrown) {
        if (signal?.aborted || toContractError(thrown).code !== 'disconnected') throw thrown;
        await rejectOnAbort(waitUntilClosed(open), signal);
      }
    }
  }

  void run();
  return {
    client: createBackendClient({ reader: link('reader'), writer: link('writer') }),
    state,
    windowShell: () => backend?.windowShell ?? null,
    readBlob: (id) => (backend ?? throwDisconnected()).readBlob(id),
    onReconnected(listener) {
      reconnectListeners.add(listener);
      return () => reconnectListeners.delete(listener);
    },
  };
}

/** Returns true if the host refuses the page: its token is invalid, or another page has replaced it. */
function isRefused(thrown: unknown): boolean {
  return toContractError(thrown).code === 'conflict';
}

function throwDisconnected(): never {
  throw createDisconnectedError('The command was not sent. Try again once the connection is restored.');
}

/** Resolves when the session is known to be closed, so that a query does not retry in a loop on a failing session. */
function waitUntilClosed(backend: BackendSession): Promise<void> {
  return new Promise((resolve) => {
    if (backend.closed.aborted) resolve();
    else backend.closed.addEventListener('abort', () => resolve(), { once: true });
  });
}

function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function createPendingSession(): PromiseWithResolvers<BackendSession> {
  const pending = Promise.withResolvers<BackendSession>();
  // Prevents an unhandled rejection if the backend refuses a session that no code awaits.
  pending.promise.catch(() => undefined);
  return pending;
}
