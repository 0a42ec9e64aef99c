import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import {
  type BackendLink,
  type BackendThread,
  createClosableLink,
  createContractError,
  createNonRetryableError,
  PAGE_REPLACED_CODE,
  type WindowShellClient,
} from '../../contract/index.ts';

/** Session with the backend, with one link per backend thread. All links end together. */
export interface BackendSession extends Record<BackendThread, BackendLink> {
  /** Client for the window in Electron; null in a browser. */
  readonly windowShell: WindowShellClient | null;
  /**
   * Aborts when the session has ended. All links then reject with `disconnected`, and a new session must be opened. The
   * reason is a `conflict` error if another page has replaced this one.
   */
  readonly closed: AbortSignal;
  /**
   * Returns the bytes of a one-time file, for example a PDF or an export. Each id can be read only once.
   * @throws `not_found` if the file was already read or has expired, `disconnected` if the backend does not respond.
   */
  readBlob(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** API of the Electron preload script. `connect` delivers the reader’s, writer’s and window’s port by `postMessage`. */
export interface ElectronBridge {
  connect(): void;
}

declare global {
  interface Window {
    readonly tieout?: ElectronBridge;
  }
}

const TOKEN_STORAGE_KEY = 'tieout.token';
/** WebSocket subprotocol that the host accepts. The token is a second subprotocol, which the host never echoes. */
const SOCKET_PROTOCOL = 'tieout';
const THREADS: readonly BackendThread[] = ['reader', 'writer'];

/**
 * Connects to the backend of the shell that hosts this page. In a browser, the token moves from the address (`#t=…`) to
 * the tab's session storage, so call this function before reading `location.hash`. It may be called again after `closed`.
 * @throws `auth` if the browser host rejects the token, `disconnected` if the backend does not respond.
 */
export function connectBackend(): Promise<BackendSession> {
  return window.tieout ? connectElectron(window.tieout) : connectBrowser(takeAccessToken());
}

async function connectElectron(bridge: ElectronBridge): Promise<BackendSession> {
  const ports = await new Promise<readonly MessagePort[]>((resolve) => {
    const receive = (event: MessageEvent) => {
      if (event.source !== window || event.data !== 'tieout:ports') return;
      window.removeEventListener('message', receive);
      resolve(event.ports);
    };
    window.addEventListener('message', receive);
    bridge.connect();
  });
  const [reader, writer, windowPort] = ports;
  if (!reader || !writer || !windowPort) throw createDisconnectedError();
  const closed = closeTogether([reader, writer, windowPort]);
  const link = (port: MessagePort) => {
    const portLink = createClosableLink(new PortLink({ port }), closed);
    port.start();
    return portLink;
  };
  return {
    windowShell: createORPCClient(link(windowPort)),
    closed,
    reader: link(reader),
    writer: link(writer),
    readBlob: (id) => readBlob(id, {}),
  };
}

async function connectBrowser(secret: string): Promise<BackendSession> {
  const token = await exchangeForSessionToken(secret);
  sessionStorage.setItem(TOKEN_STORAGE_KEY, token);
  const address = (thread: BackendThread) => `${location.origin.replace(/^http/, 'ws')}/rpc/${thread}`;
  const sockets = THREADS.map((thread) => new WebSocket(address(thread), [SOCKET_PROTOCOL, token]));
  const [reader, writer] = sockets as [WebSocket, WebSocket];
  const closed = closeTogether(sockets);
  await Promise.all(sockets.map(waitUntilOpen));
  return {
    windowShell: null,
    closed,
    reader: createClosableLink(new SocketLink({ websocket: reader }), closed),
    writer: createClosableLink(new SocketLink({ websocket: writer }), closed),
    readBlob: (id) => readBlob(id, authorizationHeader(token)),
  };
}

/** Returns a signal that aborts when any channel closes. The other channels are then closed, too. */
function closeTogether(channels: readonly (MessagePort | WebSocket)[]): AbortSignal {
  const controller = new AbortController();
  for (const channel of channels) {
    channel.addEventListener('close', (event: Event) => {
      controller.abort(createClosedError(event));
      for (const other of channels) other.close();
    });
  }
  return controller.signal;
}

function waitUntilOpen(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', (event) => reject(createClosedError(event)));
  });
}

/** Returns the error for a closed channel. A page that another page replaced gets `conflict` and must not reconnect. */
function createClosedError(event: Event) {
  const isReplaced = 'code' in event && event.code === PAGE_REPLACED_CODE;
  if (!isReplaced) return createDisconnectedError();
  const hint = 'To use Tieout here again, reload this page.';
  return createNonRetryableError('conflict', 'Tieout was opened in another tab or window.', hint);
}

/** Exchanges a ticket or token for the session token. A ticket is valid only once; the session token can be reused. */
async function exchangeForSessionToken(secret: string): Promise<string> {
  const answer = await fetch('/session', { headers: authorizationHeader(secret) }).catch(() => null);
  if (answer?.ok) return await answer.text();
  if (answer?.status !== 401) throw createDisconnectedError();
  throw createNonRetryableError(
    'conflict',
    'This tab is not allowed to use the running Tieout.',
    'Close this tab and open the address that Tieout printed when it started.',
  );
}

function authorizationHeader(secret: string) {
  return { authorization: `Bearer ${secret}` };
}

async function readBlob(id: string, headers: HeadersInit): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`/blob/${encodeURIComponent(id)}`, { headers }).catch(() => null);
  if (!answer) throw createDisconnectedError();
  if (!answer.ok) {
    throw createContractError({
      code: 'not_found',
      message: 'The file is no longer available.',
      hint: 'Open the file again from its screen.',
      retryable: true,
    });
  }
  return new Uint8Array(await answer.arrayBuffer());
}

/** Returns the access token. A token in the address (`#t=…`) is first moved to this tab's storage. */
function takeAccessToken(): string {
  const secret = /^#t=([\w-]+)$/.exec(location.hash)?.[1];
  if (!secret) return sessionStorage.getItem(TOKEN_STORAGE_KEY) ?? '';
  sessionStorage.setItem(TOKEN_STORAGE_KEY, secret);
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}

/** Returns the error for a backend that does not respond. */
export function createDisconnectedError(
  hint = 'Start Tieout again if it is not running. Stored data is safe.',
) {
  return createContractError({
    code: 'disconnected',
    message: 'Tieout is not responding.',
    hint,
    retryable: true,
  });
}
