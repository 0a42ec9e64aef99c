import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { contractError, endingLink, type Link, type Thread } from '../../contract/index.ts';

/** What the page has of the backend: a link to each thread, which end together. */
export interface Backend extends Record<Thread, Link> {
  readonly shell: 'electron' | 'browser';
  /** Aborted when the connection has ended. The links then reject with `disconnected`; connect anew. */
  readonly closed: AbortSignal;
  /**
   * The bytes of a file the backend offered (`statements.pdf`, exports). Each id is read once.
   * @throws `not_found` where the offer was used or has expired, `disconnected` where nobody answers.
   */
  readBlob(id: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** What the preload script gives the page in Electron: two ports (reader, writer) come back by `postMessage`. */
export interface ElectronBridge {
  connect(): void;
}

declare global {
  interface Window {
    readonly tieout?: ElectronBridge;
  }
}

const TOKEN = 'tieout.token';
/** Named with the token in the WebSocket upgrade; the host answers with this one, so that the token is not echoed. */
const PROTOCOL = 'tieout';
const THREADS: readonly Thread[] = ['reader', 'writer'];

/**
 * Connects to the backend of the shell this page runs in. In the browser it takes the token out of the address (`#t=…`) into
 * the tab's session storage, so call it before reading `location.hash`. May be called again after `closed`.
 * @throws `auth` where the browser host refuses the token, `disconnected` where nobody answers.
 */
export function connectBackend(): Promise<Backend> {
  return window.tieout ? connectElectron(window.tieout) : connectBrowser(takeSecret());
}

async function connectElectron(bridge: ElectronBridge): Promise<Backend> {
  const ports = await new Promise<readonly MessagePort[]>((resolve) => {
    const receive = (event: MessageEvent) => {
      if (event.source !== window || event.data !== 'tieout:ports') return;
      window.removeEventListener('message', receive);
      resolve(event.ports);
    };
    window.addEventListener('message', receive);
    bridge.connect();
  });
  const [reader, writer] = ports;
  if (!reader || !writer) throw disconnected();
  const closed = closedWith([reader, writer]);
  const link = (port: MessagePort) => {
    const made = endingLink(new PortLink({ port }), closed);
    port.start();
    return made;
  };
  return {
    shell: 'electron',
    closed,
    reader: link(reader),
    writer: link(writer),
    readBlob: (id) => readBlob(id, {}),
  };
}

async function connectBrowser(secret: string): Promise<Backend> {
  const token = await redeem(secret);
  sessionStorage.setItem(TOKEN, token);
  const address = (thread: Thread) => `${location.origin.replace(/^http/, 'ws')}/rpc/${thread}`;
  const sockets = THREADS.map((thread) => new WebSocket(address(thread), [PROTOCOL, token]));
  const [reader, writer] = sockets as [WebSocket, WebSocket];
  const closed = closedWith(sockets);
  await Promise.all(sockets.map(opened));
  return {
    shell: 'browser',
    closed,
    reader: endingLink(new SocketLink({ websocket: reader }), closed),
    writer: endingLink(new SocketLink({ websocket: writer }), closed),
    readBlob: (id) => readBlob(id, bearer(token)),
  };
}

/** Aborts when the first of these closes, and closes the others: half a connection is none. */
function closedWith(channels: readonly (MessagePort | WebSocket)[]): AbortSignal {
  const ending = new AbortController();
  for (const channel of channels) {
    channel.addEventListener('close', () => {
      ending.abort();
      for (const other of channels) other.close();
    });
  }
  return ending.signal;
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(disconnected()));
  });
}

/** Trades what the address held for the session's token: a ticket is good for it once, the token itself always. */
async function redeem(secret: string): Promise<string> {
  const answer = await fetch('/session', { headers: bearer(secret) }).catch(() => null);
  if (answer?.ok) return await answer.text();
  if (answer?.status !== 401) throw disconnected();
  throw contractError({
    code: 'auth',
    message: 'This tab is not allowed to use the running Tieout.',
    hint: 'Close it and open the address that Tieout printed when it started.',
    retryable: false,
  });
}

function bearer(secret: string) {
  return { authorization: `Bearer ${secret}` };
}

async function readBlob(id: string, headers: HeadersInit): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`/blob/${encodeURIComponent(id)}`, { headers }).catch(() => null);
  if (!answer) throw disconnected();
  if (!answer.ok) {
    throw contractError({
      code: 'not_found',
      message: 'The file is no longer offered.',
      hint: 'Open it again.',
      retryable: true,
    });
  }
  return new Uint8Array(await answer.arrayBuffer());
}

/** What the address holds behind `#t=`, which is then taken out of it; else the token this tab was given before. */
function takeSecret(): string {
  const secret = /^#t=([\w-]+)$/.exec(location.hash)?.[1];
  if (!secret) return sessionStorage.getItem(TOKEN) ?? '';
  sessionStorage.setItem(TOKEN, secret);
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}

function disconnected() {
  return contractError({
    code: 'disconnected',
    message: 'Tieout does not answer.',
    hint: 'Is it still running? Start it again; what was stored is safe.',
    retryable: true,
  });
}
