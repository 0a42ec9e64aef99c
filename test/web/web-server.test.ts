import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { sendGetRequest, startTestWebServer } from './test-web-server.ts';

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

test('reports idleness after the last page has left, unless one reconnects', async () => {
  let idleReports = 0;
  const onIdle = () => {
    idleReports += 1;
  };
  const { web, token } = await startTestWebServer({ idleMs: 4000, onIdle });
  const connectPage = async () => {
    const page = new WebSocket(`ws://127.0.0.1:${web.port}/rpc/reader`, ['tieout', token], {
      origin: `http://127.0.0.1:${web.port}`,
    });
    await once(page, 'open');
    return page;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = await connectPage();
  first.close();
  await once(first, 'close');
  vi.advanceTimersByTime(3000);
  const second = await connectPage();
  vi.advanceTimersByTime(3000);
  expect(idleReports).toBe(0);
  second.close();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1000);
      return idleReports;
    })
    .toBe(1);
});

test('rejects a port in use instead of choosing another', async () => {
  const { web } = await startTestWebServer();
  await expect(startTestWebServer({ port: web.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('rejects a folder without a window immediately', async () => {
  await expect(startTestWebServer({ rendererDir: join('/', 'nowhere') })).rejects.toThrow('ENOENT');
});
