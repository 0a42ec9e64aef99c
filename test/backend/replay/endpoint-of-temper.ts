import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How an endpoint treats a request. `garbage` is no HTTP response, `late` answers 200 after `lateMs`. */
export type Temper = 'ok' | 'slow' | 'error' | 'reset' | 'redirect' | 'created' | 'garbage' | 'late' | 'half';

export interface ReceivedPost {
  id: number;
  body: string;
  headers: IncomingMessage['headers'];
  url: string;
  temper: Temper;
}

export interface TestEndpoint {
  readonly url: string;
  readonly host: string;
  readonly received: ReceivedPost[];
  /** Returns how to treat the nth request. May be replaced during the test. */
  temper: (nth: number, id: number) => Temper;
  /** Number of requests that arrived at the address to which redirects point. */
  redirected: number;
  /** Maximum number of requests in progress at the same time. */
  mostAtOnce: number;
  close(): Promise<void>;
}

/** Starts a real HTTP endpoint on the loopback interface. It is closed when the test ends. */
export async function startTestEndpoint(lateMs = 400): Promise<TestEndpoint> {
  const sockets = new Set<Socket>();
  let now = 0;
  const server = createServer((request, response) => {
    endpoint.mostAtOnce = Math.max(endpoint.mostAtOnce, ++now);
    response.on('close', () => now--);
    void receive(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.url === '/elsewhere') endpoint.redirected++;
    const id = Number(request.headers['x-chargify-webhook-id']);
    const temper = endpoint.temper(endpoint.received.length, id);
    endpoint.received.push({ id, body, headers: request.headers, url: request.url ?? '', temper });
    const answers: Record<Temper, () => void> = {
      ok: () => response.end('ok'),
      slow: () => setTimeout(() => response.end('ok'), 20),
      error: () => response.writeHead(500).end('failed'),
      reset: () => request.socket.resetAndDestroy(),
      redirect: () => response.writeHead(307, { location: `${endpoint.url}/../elsewhere` }).end(),
      created: () => response.writeHead(201).end('created'),
      garbage: () => request.socket.end('this is not HTTP\r\n\r\n'),
      late: () => setTimeout(() => response.end('ok'), lateMs),
      half: () => {
        response.writeHead(200, { 'content-length': '1000' }).write('incomplete');
        setTimeout(() => request.socket.destroy(), 5);
      },
    };
    answers[temper]();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint: TestEndpoint = {
    url: `http://127.0.0.1:${port}/hooks`,
    host: `127.0.0.1:${port}`,
    received: [],
    temper: () => 'ok',
    redirected: 0,
    mostAtOnce: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** Verifies both signatures of a received request without any code of the app. */
export function hasValidSignatures({ headers, body }: ReceivedPost, key: string): boolean {
  const md5 = createHash('md5')
    .update(key + body, 'utf8')
    .digest('hex');
  const hmac = createHmac('sha256', Buffer.from(key, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex');
  return (
    headers['x-chargify-webhook-signature'] === md5 &&
    headers['x-chargify-webhook-signature-hmac-sha-256'] === hmac
  );
}
