import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import {
  type BillingClient,
  type BillingClientOptions,
  createBillingClient,
} from '../../src/billing/index.ts';

/** An HTTP server with scripted responses that records its requests. */
export interface ScriptedServer {
  origin: string;
  received: ReceivedRequest[];
}

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type ScriptedReply = (response: ServerResponse, request: ReceivedRequest, nth: number) => void;

export const TEST_API_KEY = 'aB3_key-of-the-site';

const closeCallbacks: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closeCallbacks.splice(0).reverse()) await close();
});

export function closeAfterTest(close: () => Promise<unknown>): void {
  closeCallbacks.push(close);
}

export async function startScriptedServer(reply: ScriptedReply): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const receivedRequest = { method, url, headers, body: Buffer.concat(parts).toString('utf8') };
    received.push(receivedRequest);
    reply(response, receivedRequest, received.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAfterTest(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/**
 * Starts a raw socket server that sends invalid HTTP. It calls `answer` with the socket and the number of each request.
 */
export async function startSocketServer(answer: (socket: Socket, nth: number) => void): Promise<string> {
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

export function createTestClient(origin: string, options: Partial<BillingClientOptions> = {}): BillingClient {
  const client = createBillingClient({
    baseUrl: origin,
    format: 'json',
    getApiKey: async () => TEST_API_KEY,
    ...options,
    pacing: { delayScale: 0.001, ...options.pacing },
  });
  closeAfterTest(() => client.close());
  return client;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const XML_TYPE = 'application/xml; charset=utf-8';

export function replyWith(
  status: number,
  type: string | null,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): ScriptedReply {
  return (response) => {
    response.writeHead(status, { ...(type === null ? {} : { 'content-type': type }), ...headers });
    response.end(body);
  };
}

export const replyJson = (value: unknown, status = 200): ScriptedReply =>
  replyWith(status, JSON_TYPE, JSON.stringify(value));
export const replyXml = (text: string, status = 200): ScriptedReply => replyWith(status, XML_TYPE, text);

/** Sends the given responses in order and repeats the last one. */
export function replyInOrder(...replies: ScriptedReply[]): ScriptedReply {
  return (response, request, nth) => {
    (replies[Math.min(nth, replies.length) - 1] as ScriptedReply)(response, request, nth);
  };
}
