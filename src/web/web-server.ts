import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type BackendThread, PAGE_REPLACED_CODE } from '../contract/index.ts';
import {
  type AppHost,
  createPortChannel,
  type FrameChannel,
  openWindowAssets,
  relayFrames,
} from '../host/index.ts';
import {
  checkRequestAccess,
  checkUpgradeAccess,
  listHostNames,
  WEBSOCKET_SUBPROTOCOL,
} from './access-control.ts';
import { createAccessTokens } from './access-tokens.ts';
import { handleHttpRequest } from './handle-http-request.ts';
import { rejectRequest, rejectUpgrade } from './request-rejections.ts';

export interface BrowserHostOptions {
  /** Port to listen on. Uses any free port if 0 or absent. */
  readonly port?: number;
  /** Folder of the built window, with `index.html` and its assets. */
  readonly rendererDir: string;
  /** Called when a page connects. */
  readonly onPage?: () => void;
}

export type WebServer = Awaited<ReturnType<typeof serveWeb>>;

/** Maximum size of a WebSocket frame in bytes, sufficient for the ids of a large replay. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const THREADS: readonly BackendThread[] = ['reader', 'writer'];

/**
 * Serves the app to a browser on 127.0.0.1 only: the window's files, WebSockets to the reader and the writer, and
 * one-time files. One page is connected at a time. A later page replaces the earlier one, so that the user notices if
 * another program has obtained the token. @throws the error of `listen` if the port is in use
 */
export async function serveWeb(host: AppHost, options: BrowserHostOptions) {
  const pages = openWindowAssets(options.rendererDir);
  const tokens = createAccessTokens();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // Never returns the token as the subprotocol, because the response header would reveal it.
    handleProtocols: () => WEBSOCKET_SUBPROTOCOL,
  });
  // Lets a request without a Host header reach the access control, which then refuses it.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 5000 });
  const connected = createConnectedPage();
  let port = options.port ?? 0;

  server.on('request', (request, response) => {
    const verdict = checkRequestAccess(request, port);
    if (!verdict.ok) return rejectRequest(host, response, verdict);
    handleHttpRequest(request, response, { host, pages, tokens }).catch((error) => {
      host.log({
        level: 'warn',
        msg: 'Tieout could not respond to the browser. Reload the page.',
        reason: String(error),
      });
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const verdict = checkUpgradeAccess(request, port, tokens.isSession);
    const thread = THREADS.find((name) => request.url === `/rpc/${name}`);
    if (!verdict.ok) return rejectUpgrade(host, socket, verdict);
    if (!thread) return rejectUpgrade(host, socket, { status: 404, reason: 'path' });
    sockets.handleUpgrade(request, socket, head, (page) => {
      connected.replace(thread, page);
      options.onPage?.();
      relayFrames(createSocketChannel(page), createPortChannel(host.connect(thread)));
    });
  });

  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  const closed = once(server, 'close').then(() => undefined);
  const address = (secret: string) => `http://${listHostNames(port)[0]}/#t=${secret}`;

  return {
    /** Address with the token, for the user: `http://127.0.0.1:PORT/#t=…`. */
    url: address(tokens.session),
    port,
    /** Returns an address with a single-use ticket, for a browser's command line. */
    ticketUrl: () => address(tokens.createTicket()),
    /** Returns the milliseconds since the last page disconnected, or since the start. 0 while a page is connected. */
    idleMs: connected.idleMs,
    closed,
    close(): Promise<void> {
      for (const page of sockets.clients) page.terminate();
      server.close();
      server.closeAllConnections();
      return closed;
    },
  };
}

function createSocketChannel(page: WebSocket): FrameChannel {
  // A protocol violation closes the socket, so the error needs no further handling.
  page.on('error', () => undefined);
  return {
    send: (frame) => page.send(frame),
    onFrame(receive) {
      page.on('message', (data: Buffer, isBinary) =>
        receive(isBinary ? Uint8Array.from(data) : String(data)),
      );
    },
    onEnd: (ended) => page.on('close', ended),
    end: () => page.close(),
  };
}

/** Tracks the connected page's sockets, at most one per thread. */
function createConnectedPage() {
  const sockets = new Map<BackendThread, WebSocket>();
  let idleSince = performance.now();
  return {
    /** Adds a page's socket, and closes the socket of an earlier page. */
    replace(thread: BackendThread, socket: WebSocket): void {
      const earlier = sockets.get(thread);
      sockets.set(thread, socket);
      earlier?.close(PAGE_REPLACED_CODE);
      socket.on('close', () => {
        if (sockets.get(thread) !== socket) return;
        sockets.delete(thread);
        if (sockets.size === 0) idleSince = performance.now();
      });
    },
    idleMs: () => (sockets.size === 0 ? performance.now() - idleSince : 0),
  };
}
