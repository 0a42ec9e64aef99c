import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serveWeb, type WebOptions } from '../../src/web/web-server.ts';
import { temporaryFolder, temporaryHost } from '../host/temporary.ts';

/** A browser host over the small test threads, serving a page of its own. */
export async function temporaryWeb(options: Partial<WebOptions> = {}) {
  const host = await temporaryHost();
  const web = await serveWeb(host, { rendererDir: rendererFolder(), ...options });
  onTestFinished(() => web.close());
  const token = new URL(web.url).hash.slice('#t='.length);
  return { host, web, token };
}

export function rendererFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tieout</title>');
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {}');
  return folder;
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** Sends these very bytes and reads until the other side closes, since any HTTP client would mend them first. */
export function raw(port: number, lines: readonly string[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => {
      received += chunk;
      // An upgrade that was granted stays open.
      if (received.startsWith('HTTP/1.1 101') && received.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') });
    });
  });
}

/** A page's request, as a browser writes it, with any header replaced, repeated or (by `undefined`) left out. */
export function get(port: number, path: string, headers: Record<string, string | string[] | undefined> = {}) {
  return raw(port, [
    `GET ${path} HTTP/1.1`,
    ...headerLines({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }),
  ]);
}

/** A WebSocket upgrade, as our own page asks for it. */
export function upgrade(
  port: number,
  token: string,
  headers: Record<string, string | string[] | undefined> = {},
  path = '/rpc/reader',
) {
  return get(port, path, {
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
