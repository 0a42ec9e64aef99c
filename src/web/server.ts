import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Thread } from '../contract/index.ts';
import { type Host, openPages, type Pipe, pageHeaders, portPipe, relay } from '../host/index.ts';
import { bearerOf, hostsOf, judgeRequest, judgeUpgrade, SUBPROTOCOL, valuesOf } from './guard.ts';
import { createTokens } from './tokens.ts';

export interface WebOptions {
  /** 0 or absent selects any free port. */
  readonly port?: number;
  /** The built window: `index.html` and its assets. */
  readonly rendererDir: string;
  /** Called when a page connects. */
  readonly onPage?: () => void;
  /** Milliseconds without a connected page, after the last one left, until `onIdle` is called. */
  readonly idleMs?: number;
  readonly onIdle?: () => void;
}

export interface WebHost {
  /** Address with the token, for a person: `http://127.0.0.1:PORT/#t=…`. */
  readonly url: string;
  readonly port: number;
  /** Returns an address with a single-use ticket, for a browser's command line. */
  ticketUrl(): string;
  close(): Promise<void>;
  readonly closed: Promise<void>;
}

/** Maximum size of a WebSocket frame in bytes: enough for the ids of a large replay. */
const MOST_BYTES = 64 * 1024 * 1024;
const THREADS: readonly Thread[] = ['reader', 'writer'];

/**
 * Serves the app for a browser on 127.0.0.1 only: the window's files, the two links as WebSockets, and one-time files.
 * @throws the error of `listen` if the port is taken
 */
export async function serveWeb(host: Host, options: WebOptions): Promise<WebHost> {
  const pages = openPages(options.rendererDir);
  const tokens = createTokens();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
    // Never the token, which the answer's header would reveal.
    handleProtocols: () => SUBPROTOCOL,
  });
  // Lets a request without a Host header reach the access control, which refuses it.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 5000 });
  const idle = idleWatch(options.idleMs, options.onIdle);
  let port = options.port ?? 0;

  server.on('request', (request, response) => {
    const verdict = judgeRequest(request, port);
    if (!verdict.ok) return refuse(response, verdict.status, verdict.reason);
    answer(request, response).catch((error) => {
      host.log({ level: 'warn', msg: 'The browser host could not answer.', reason: String(error) });
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const verdict = judgeUpgrade(request, port, tokens.isSession);
    const thread = THREADS.find((name) => request.url === `/rpc/${name}`);
    if (!verdict.ok) return refuseUpgrade(socket, verdict.status, verdict.reason);
    if (!thread) return refuseUpgrade(socket, 404, 'path');
    sockets.handleUpgrade(request, socket, head, (page) => {
      idle.enter();
      options.onPage?.();
      page.on('close', idle.leave);
      relay(socketPipe(page), portPipe(host.connect(thread)));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = valuesOf(request, 'host')[0];
    const headers = pageHeaders(`ws://${own}`);
    const [pathname = ''] = (request.url ?? '').split(/[?#]/, 1);
    const end = (status: number, text: string) =>
      response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text);

    if (pathname === '/session') {
      if (!tokens.redeem(bearerOf(request))) return void end(401, 'Open the address that Tieout printed.');
      response.setHeader('cache-control', 'no-store');
      return void end(200, tokens.session);
    }
    if (pathname.startsWith('/blob/')) {
      if (!tokens.isSession(bearerOf(request))) return void end(401, 'Open the address that Tieout printed.');
      const offered = await host.blobs.take(pathname.slice('/blob/'.length));
      if (!offered) return void end(404, 'No longer offered.');
      response.writeHead(200, {
        ...headers,
        'cache-control': 'no-store',
        'content-type': offered.type,
        'content-length': offered.bytes,
        'content-disposition': 'attachment',
      });
      return await pipeline(offered.stream, response);
    }
    const page = await pages.get(pathname);
    if (!page) return void end(404, 'Not here.');
    const kept = page.lasting ? 'max-age=31536000, immutable' : 'no-cache';
    response.writeHead(200, { ...headers, 'cache-control': kept, 'content-type': page.type }).end(page.body);
  }

  function refuse(response: ServerResponse, status: number, reason: string): void {
    logRefusal(reason);
    const headers = { ...pageHeaders(), connection: 'close', 'content-type': 'text/plain; charset=utf-8' };
    response.writeHead(status, headers).end(EXPLAINED[reason]);
  }

  function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
    logRefusal(reason);
    socket.on('error', () => undefined);
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }

  /** Logs the reason and nothing from the request, which may contain the token. */
  function logRefusal(reason: string): void {
    host.log({ level: 'warn', msg: 'The browser host refused a request.', reason });
  }

  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  const closed = once(server, 'close').then(() => undefined);
  const address = (secret: string) => `http://${hostsOf(port)[0]}/#t=${secret}`;

  return {
    url: address(tokens.session),
    port,
    ticketUrl: () => address(tokens.ticket()),
    closed,
    close() {
      idle.stop();
      for (const page of sockets.clients) page.terminate();
      server.close();
      server.closeAllConnections();
      return closed;
    },
  };
}

const EXPLAINED: Readonly<Record<string, string>> = {
  host: 'This address is not Tieout’s own.',
  site: 'Another page led here. Copy the address into the address bar instead.',
  origin: 'Another page may not ask this.',
  method: 'Only reading is served here.',
};

function socketPipe(page: WebSocket): Pipe {
  // A frame that violates the protocol closes the socket; nothing else needs to be done.
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

/** Counts connected pages, and reports when none has been connected for a while. */
function idleWatch(ms: number | undefined, onIdle: (() => void) | undefined) {
  let there = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    enter() {
      there += 1;
      clearTimeout(timer);
    },
    leave() {
      there -= 1;
      if (there === 0 && ms !== undefined && onIdle) timer = setTimeout(onIdle, ms);
    },
    stop() {
      clearTimeout(timer);
      there = Number.POSITIVE_INFINITY;
    },
  };
}
