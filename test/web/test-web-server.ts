import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type BrowserHostOptions, serveWeb } from '../../src/web/web-server.ts';
import { createTemporaryFolder, startTestHost } from '../host/test-host.ts';

/** Starts a browser host with small test threads that serves a test page. */
export async function startTestWebServer(options: Partial<BrowserHostOptions> = {}) {
  const host = await startTestHost();
  const web = await serveWeb(host, { rendererDir: createRendererFolder(), ...options });
  onTestFinished(() => web.close());
  const token = new URL(web.url).hash.slice('#t='.length);
  return { host, web, token };
}

export function createRendererFolder(): string {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tieout</title>');
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {}');
  return folder;
}

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/**
 * Sends exact bytes and reads until the other side closes. An HTTP client would correct invalid requests before sending
 * them.
 */
export function sendRawRequest(port: number, lines: readonly string[]): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => {
      received += chunk;
      // A successful upgrade leaves the connection open.
      if (received.startsWith('HTTP/1.1 101') && received.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') });
    });
  });
}

/** Sends a page request as a browser would. Headers can be replaced, repeated or (with `undefined`) omitted. */
export function sendGetRequest(
  port: number,
  path: string,
  headers: Record<string, string | string[] | undefined> = {},
) {
  return sendRawRequest(port, [
    `GET ${path} HTTP/1.1`,
    ...headerLines({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }),
  ]);
}

/** Requests a WebSocket upgrade like the app's own page. */
export function requestUpgrade(
  port: number,
  token: string,
  headers: Record<string, string | string[] | undefined> = {},
  path = '/rpc/reader',
) {
  return sendGetRequest(port, path, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    origin: `http://127.0.0.1:${port}`,
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': `tieout, ${token}`,
    'sec-fetch-site': 'same-origin',
    ...headers,
  });
}

function headerLines(headers: Record<string, string | string[] | undefined>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
}
