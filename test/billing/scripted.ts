import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import {
  type BillingClient,
  type BillingClientOptions,
  createBillingClient,
} from '../../src/billing/index.ts';

/** An HTTP server with scripted responses that records its requests. */
export interface Scripted {
  origin: string;
  received: Received[];
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Reply = (response: ServerResponse, request: Received, nth: number) => void;

export const KEY = 'aB3_key-of-the-site';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

export function closeAfterTest(close: () => Promise<unknown>): void {
  opened.push(close);
}

export async function scripted(reply: Reply): Promise<Scripted> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const got = { method, url, headers, body: Buffer.concat(parts).toString('utf8') };
    received.push(got);
    reply(response, got, received.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAfterTest(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A server of raw sockets for invalid HTTP. Calls `answer` with the first bytes of each request. */
export async function bareSockets(answer: (socket: Socket, nth: number) => void): Promise<string> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', () => answer(socket, ++requests));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAfterTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function clientOf(origin: string, options: Partial<BillingClientOptions> = {}): BillingClient {
  const client = createBillingClient({
    baseUrl: origin,
    format: 'json',
    getApiKey: async () => KEY,
    ...options,
    pacing: { delayScale: 0.001, ...options.pacing },
  });
  closeAfterTest(() => client.close());
  return client;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const XML_TYPE = 'application/xml; charset=utf-8';

export function answer(
  status: number,
  type: string | null,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Reply {
  return (response) => {
    response.writeHead(status, { ...(type === null ? {} : { 'content-type': type }), ...headers });
    response.end(body);
  };
}

export const json = (value: unknown, status = 200): Reply => answer(status, JSON_TYPE, JSON.stringify(value));
export const xml = (text: string, status = 200): Reply => answer(status, XML_TYPE, text);

/** Sends these responses in order and repeats the last one. */
export function inTurn(...replies: Reply[]): Reply {
  return (response, request, nth) => {
    (replies[Math.min(nth, replies.length) - 1] as Reply)(response, request, nth);
  };
}
