import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { PAGE_REPLACED_CODE } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';
import { serveWeb } from '../../src/web/index.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { createRendererFolder, sendGetRequest, startTestWebServer } from './test-web-server.ts';

test('serves the window’s files with their types; hashed files may be cached', async () => {
  const { web } = await startTestWebServer();
  const index = await sendGetRequest(web.port, '/');
  expect(index.head).toMatch(/content-type: text\/html; charset=utf-8/i);
  expect(index.head).toMatch(/cache-control: no-cache/i);
  const asset = await sendGetRequest(web.port, '/assets/main-1a2b.js?x');
  expect(asset.head).toMatch(/content-type: text\/javascript/i);
  expect(asset.head).toMatch(/cache-control: max-age=31536000, immutable/i);
  expect((await sendGetRequest(web.port, '/session', { authorization: 'Bearer x' })).status).toBe(401);
});

test('closes the links of a disconnected page, and all pages when the host closes', async () => {
  const { web, token } = await startTestWebServer();
  const page = new WebSocket(`ws://127.0.0.1:${web.port}/rpc/reader`, ['tieout', token], {
    origin: `http://127.0.0.1:${web.port}`,
  });
  await new Promise((resolve) => page.on('open', resolve));
  const disconnected = new Promise((resolve) => page.on('close', resolve));
  await web.close();
  await disconnected;
  await web.closed;
});

test('closes only the page that sends an invalid or too large frame', async () => {
  const { web, token } = await startTestWebServer();
  const head = [
    'GET /rpc/reader HTTP/1.1',
    `Host: 127.0.0.1:${web.port}`,
    `Origin: http://127.0.0.1:${web.port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: tieout, ${token}`,
  ];
  const socket = connect({ host: '127.0.0.1', port: web.port });
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  // An unmasked frame of reserved opcode 15.
  socket.write(Buffer.from([0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
  await new Promise((resolve) => socket.resume().once('close', resolve));
  expect((await sendGetRequest(web.port, '/')).status).toBe(200);
});

test('unknown frames do not crash the thread', async () => {
  const { web, token, host } = await startTestWebServer();
  const page = new WebSocket(`ws://127.0.0.1:${web.port}/rpc/writer`, ['tieout', token], {
    origin: `http://127.0.0.1:${web.port}`,
  });
  await new Promise((resolve) => page.on('open', resolve));
  for (const invalidFrame of [
    '',
    '{',
    'null',
    '[]',
    '{"i":"1","t":1,"p":{}}',
    Buffer.from([0, 1, 2]),
    '"\\u0000"',
  ]) {
    page.send(invalidFrame);
  }
  const nextAnswer = new Promise((resolve) =>
    page.on('message', (data) => String(data).includes('there') && resolve(true)),
  );
  const call = { json: { key: 'still', value: 'there' } };
  page.send(JSON.stringify({ i: '2', p: { u: '/settings/set', b: call } }));
  await nextAnswer;
  page.close();
  await host.close();
  expect(readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8')).not.toContain('thread ended');
});

test('a flood of invalid frames does not fill the log of the real backend', async () => {
  const host = await startHost({ home: createTemporaryFolder(), version: '1.2.3' });
  const web = await serveWeb(host, { rendererDir: createRendererFolder() });
  onTestFinished(() => web.close());
  const page = await connectPage({ host, web, token: new URL(web.url).hash.slice('#t='.length) }, 'writer');
  for (let frame = 0; frame < 2000; frame += 1) page.send(`{${frame}`);
  const answered = once(page, 'message');
  page.send(JSON.stringify({ i: '1', p: { u: '/no/such/procedure', b: {} } }));
  await answered;
  await host.close();
  const log = readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8');
  expect(log).toContain('"times":1970');
  expect(log.trim().split('\n').length).toBeLessThan(40);
});

/** Connects like the app's page to one thread. */
async function connectPage(
  { web, token }: Awaited<ReturnType<typeof startTestWebServer>>,
  thread = 'reader',
) {
  const page = new WebSocket(`ws://127.0.0.1:${web.port}/rpc/${thread}`, ['tieout', token], {
    origin: `http://127.0.0.1:${web.port}`,
  });
  await once(page, 'open');
  return page;
}

test('measures the time since the last page has left, not since a replaced one', async () => {
  const started = await startTestWebServer();
  expect(started.web.idleMs()).toBeGreaterThan(0);
  const [first, writer] = [await connectPage(started), await connectPage(started, 'writer')];
  const closedFirst = once(first, 'close');
  const second = await connectPage(started);
  await closedFirst;
  writer.close();
  await once(writer, 'close');
  expect(started.web.idleMs()).toBe(0);
  second.close();
  await expect.poll(() => started.web.idleMs()).toBeGreaterThan(0);
  expect(started.web.idleMs()).toBeLessThan(5000);
});

test('one page is connected at a time: a later one replaces it with a code that the page knows', async () => {
  const started = await startTestWebServer();
  const first = await connectPage(started);
  const writer = await connectPage(started, 'writer');
  const closed = once(first, 'close');
  await connectPage(started);
  expect((await closed)[0]).toBe(PAGE_REPLACED_CODE);
  expect(writer.readyState).toBe(WebSocket.OPEN);
});

test('rejects a port in use instead of choosing another', async () => {
  const { web } = await startTestWebServer();
  await expect(startTestWebServer({ port: web.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('rejects a folder without a window immediately', async () => {
  await expect(startTestWebServer({ rendererDir: join(createTemporaryFolder(), 'none') })).rejects.toThrow(
    'ENOENT',
  );
});
