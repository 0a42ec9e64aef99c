import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  requestUpgrade,
  sendGetRequest,
  sendRawRequest,
  startTestWebServer,
} from '../web/test-web-server.ts';

/**
 * Checks 12 and 13. Attackers: a page in the user's browser, also one whose name was rebound to 127.0.0.1; another
 * program; another user of the computer. Uses raw sockets, because an HTTP client would send its own Host.
 */
const foreignHosts = (port: number): Record<string, string | string[] | undefined> => ({
  'a rebound name': `evil.test:${port}`,
  'a rebound name without a port': 'evil.test',
  'a name that begins like ours': `127.0.0.1.evil.test:${port}`,
  'a name that ends like ours': `evil.localhost:${port}`,
  'the address without a port': '127.0.0.1',
  'localhost without a port': 'localhost',
  'another port': `127.0.0.1:${port === 1 ? 2 : port - 1}`,
  'a port with a zero before it': `127.0.0.1:0${port}`,
  'another loopback address': `127.0.0.2:${port}`,
  'IPv6 loopback': `[::1]:${port}`,
  zero: `0.0.0.0:${port}`,
  'a decimal address': `2130706433:${port}`,
  'another letter case': `LOCALHOST:${port}`,
  'a trailing dot': `localhost.:${port}`,
  'user info': `user@127.0.0.1:${port}`,
  'two, the first ours': [`127.0.0.1:${port}`, 'evil.test'],
  'two, the second ours': ['evil.test', `127.0.0.1:${port}`],
  'two in one': `127.0.0.1:${port}, evil.test`,
  none: undefined,
  'an empty one': '',
});

test('a request with another Host is refused before it is processed', async () => {
  const { web, token } = await startTestWebServer();
  for (const [name, host] of Object.entries(foreignHosts(web.port))) {
    for (const path of ['/', '/assets/main-1a2b.js', '/session', '/blob/x', '/none']) {
      const answer = await sendGetRequest(web.port, path, { host, authorization: `Bearer ${token}` });
      expect(answer.status, `${name} ${path}`).toBe(403);
      expect(answer.text, name).not.toContain('<title>');
      expect(answer.text, name).not.toContain(token);
    }
    expect((await requestUpgrade(web.port, token, { host })).status, `upgrade, ${name}`).toBe(403);
  }
});

test('HTTP/1.0 without a Host is refused too', async () => {
  const { web } = await startTestWebServer();
  expect((await sendRawRequest(web.port, ['GET / HTTP/1.0'])).status).toBe(403);
});

test('an absolute URL in the request line does not replace the Host', async () => {
  const { web } = await startTestWebServer();
  const host = `Host: 127.0.0.1:${web.port}`;
  const foreign = await sendRawRequest(web.port, [
    'GET http://evil.test/ HTTP/1.1',
    host,
    'Connection: close',
  ]);
  expect(foreign.status).toBe(404);
  const rebound = await sendRawRequest(web.port, [
    `GET http://127.0.0.1:${web.port}/ HTTP/1.1`,
    'Host: evil.test',
    'Connection: close',
  ]);
  expect(rebound.status).toBe(403);
});

test('both of our own host names are served', async () => {
  const { web, token } = await startTestWebServer();
  for (const host of [`127.0.0.1:${web.port}`, `localhost:${web.port}`]) {
    expect((await sendGetRequest(web.port, '/', { host })).status).toBe(200);
    expect((await requestUpgrade(web.port, token, { host, origin: `http://${host}` })).status).toBe(101);
  }
});

test('the server listens on 127.0.0.1 only', async () => {
  const { web } = await startTestWebServer();
  const others = Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one && one.address !== '127.0.0.1' && !one.scopeid ? [one.address] : []));
  for (const host of [...others, '::1', '127.0.0.2']) {
    expect(await reachable(host, web.port), host).toBe(false);
  }
  expect(await reachable('127.0.0.1', web.port)).toBe(true);
});

function reachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 20_000 });
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => settle(true));
    socket.on('error', () => settle(false));
    socket.on('timeout', () => settle(false));
  });
}

test('a foreign page can neither read nor send requests: Sec-Fetch-Site and Origin', async () => {
  const { web, token } = await startTestWebServer();
  for (const site of ['cross-site', 'same-site', 'evil', '']) {
    expect((await sendGetRequest(web.port, '/', { 'sec-fetch-site': site })).status, site).toBe(403);
    expect((await requestUpgrade(web.port, token, { 'sec-fetch-site': site })).status, site).toBe(403);
  }
  for (const site of ['same-origin', 'none', undefined]) {
    expect((await sendGetRequest(web.port, '/', { 'sec-fetch-site': site })).status).toBe(200);
  }
  for (const origin of ['https://evil.test', 'null', `http://127.0.0.1:${web.port - 1}`]) {
    expect((await sendGetRequest(web.port, '/', { origin })).status, origin).toBe(403);
  }
});

test('an upgrade with a foreign, null, missing or duplicate Origin is refused before a WebSocket opens', async () => {
  const { web, token } = await startTestWebServer();
  const own = `http://127.0.0.1:${web.port}`;
  const origins = [
    'https://evil.test',
    `http://evil.test:${web.port}`,
    `http://localhost:${web.port}`,
    `https://127.0.0.1:${web.port}`,
    `http://127.0.0.1:${web.port}.evil.test`,
    `http://127.0.0.1:${web.port}/`,
    'http://127.0.0.1',
    'file://',
    'null',
    '',
    undefined,
    [own, own],
    [own, 'https://evil.test'],
  ];
  for (const origin of origins) {
    expect((await requestUpgrade(web.port, token, { origin })).status, String(origin)).toBe(403);
  }
});

test('an upgrade without the token, or with a wrong one, is refused before a WebSocket opens', async () => {
  const { web, token } = await startTestWebServer();
  const wrong = [
    undefined,
    '',
    'tieout',
    token,
    'tieout, none',
    `tieout, ${token}x`,
    `tieout, ${token.slice(0, -1)}`,
    `tieout, ${token.toLowerCase()}`,
    `tieout ${token}`,
  ];
  for (const protocols of wrong) {
    const answer = await requestUpgrade(web.port, token, { 'sec-websocket-protocol': protocols });
    expect(answer.status, String(protocols)).toBe(401);
  }
  const elsewhere = [`/rpc/reader?t=${token}`, '/rpc/', '/rpc/shell', '/', '/rpc/writer/../reader'];
  for (const path of elsewhere)
    expect((await requestUpgrade(web.port, token, {}, path)).status, path).toBe(404);
  const ticket = new URL(web.ticketUrl()).hash.slice('#t='.length);
  expect((await requestUpgrade(web.port, ticket)).status).toBe(401);
});

test('offered files and the session require the token', async () => {
  const { web, token, host } = await startTestWebServer();
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer none',
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
  ]) {
    expect((await sendGetRequest(web.port, '/session', { authorization })).status).toBe(401);
    expect((await sendGetRequest(web.port, '/blob/x', { authorization })).status).toBe(401);
  }
  const twice = [`Bearer ${token}`, 'Bearer none'];
  expect((await sendGetRequest(web.port, '/session', { authorization: twice })).status).toBe(401);
  expect((await sendGetRequest(web.port, `/session?t=${token}`)).status).toBe(401);
  expect(host.home).toBeTruthy();
});

test('only GET requests are answered', async () => {
  const { web, token } = await startTestWebServer();
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE']) {
    const lines = [
      `${method} / HTTP/1.1`,
      `Host: 127.0.0.1:${web.port}`,
      'Connection: close',
      'Content-Length: 0',
    ];
    expect((await sendRawRequest(web.port, lines)).status, method).toBe(405);
  }
  const post = [`POST /session HTTP/1.1`, `Host: 127.0.0.1:${web.port}`, `Authorization: Bearer ${token}`];
  expect(
    (await sendRawRequest(web.port, [...post, 'Content-Length: 0', 'Connection: close'])).text,
  ).not.toContain(token);
});

test('no cookie is set, no other origin is allowed, and every response carries the policy', async () => {
  const { web, token } = await startTestWebServer();
  const authorization = `Bearer ${token}`;
  const answers = [
    await sendGetRequest(web.port, '/'),
    await sendGetRequest(web.port, '/none'),
    await sendGetRequest(web.port, '/session', { authorization }),
    await sendGetRequest(web.port, '/session'),
    await sendGetRequest(web.port, '/', { host: 'evil.test' }),
    await sendGetRequest(web.port, '/blob/none', { authorization }),
  ];
  for (const { head } of answers) {
    expect(head).not.toMatch(/set-cookie|access-control-allow/i);
    expect(head).toMatch(/content-security-policy: default-src 'none'/i);
    expect(head).toMatch(/x-content-type-options: nosniff/i);
    expect(head).toMatch(/referrer-policy: no-referrer/i);
  }
  expect(answers[0]?.head).toContain(`connect-src 'self' ws://127.0.0.1:${web.port};`);
});

test('an upgrade response contains the protocol name, never the token', async () => {
  const { web, token } = await startTestWebServer();
  const { head } = await requestUpgrade(web.port, token);
  expect(head).toMatch(/sec-websocket-protocol: tieout$/im);
  expect(head).not.toContain(token);
});

test('a ticket opens the session only once, so that one seen in a process list is useless', async () => {
  const { web, token } = await startTestWebServer();
  const ticket = new URL(web.ticketUrl()).hash.slice('#t='.length);
  expect(ticket).not.toBe(token);
  const first = await sendGetRequest(web.port, '/session', { authorization: `Bearer ${ticket}` });
  expect(first.text).toContain(token);
  expect((await sendGetRequest(web.port, '/session', { authorization: `Bearer ${ticket}` })).status).toBe(
    401,
  );
  expect((await sendGetRequest(web.port, '/session', { authorization: `Bearer ${token}` })).status).toBe(200);
});

test('the token has 256 bits, is new in every run, and appears in no log', async () => {
  const { web, token, host } = await startTestWebServer();
  const other = await startTestWebServer();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(other.token).not.toBe(token);
  await sendGetRequest(web.port, `/?t=${token}`, {
    host: 'evil.test',
    referer: `http://127.0.0.1/#t=${token}`,
  });
  await sendGetRequest(web.port, '/session', {
    authorization: `Bearer ${token}`,
    'sec-fetch-site': 'cross-site',
  });
  await requestUpgrade(web.port, token, { origin: 'null' });
  await host.close();
  const log = readFileSync(join(host.home, 'logs', 'tieout.log'), 'utf8');
  expect(log).toContain('refused a request');
  expect(log).not.toContain(token);
});

test('a request that is not HTTP closes only its own connection', async () => {
  const { web } = await startTestWebServer();
  for (const nonsense of [
    '\0\0\0',
    'GET',
    'GET / HTTP/9.9',
    'CONNECT evil.test:443 HTTP/1.1',
    `GET / HTTP/1.1\r\nHost : x`,
  ]) {
    await sendRawRequest(web.port, [nonsense]).catch(() => undefined);
  }
  expect((await sendGetRequest(web.port, '/')).status).toBe(200);
  for (const path of [
    '//',
    '//evil.test/',
    '/..',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fx',
    '/%00',
    '*',
    '/assets/',
  ]) {
    expect((await sendGetRequest(web.port, path)).status, path).toBe(404);
  }
});
