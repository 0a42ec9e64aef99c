import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TestPage } from './page/page.ts';
import { launchTestBrowser, type TestBrowser } from './test-browser.ts';
import { startTestWebServer } from './test-web-server.ts';

declare const page: TestPage;

/** Tests the window's connection in a real Chromium with a real browser host. */
let browser: TestBrowser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

const openPage = (url: string) => browser.open(url);
const startWeb = () => startTestWebServer({ rendererDir: browser.rendererDir });

async function otherServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('connects the page to both threads for calls and streams', async () => {
  const { web: served, host } = await startWeb();
  const tab = await openPage(served.url);
  const found = await tab.evaluate(async () => {
    const backend = await page.connectBackend();
    const client = page.createClient(backend);
    const about = await client.app.about({});
    const kept = await client.settings.set({ key: 'theme', value: 'dark' });
    const stream = await client.changes.watch({});
    const first = await stream.next();
    await stream.return?.();
    return { windowShell: backend.windowShell, about, kept, first: first.value };
  });
  expect(found).toMatchObject({ windowShell: null, kept: { theme: 'dark' }, first: { topics: ['sites'] } });
  expect(found.about.home).toBe(host.home);
});

test('removes the token from the address and stores it only in the tab’s session', async () => {
  const { web: served, token } = await startWeb();
  const tab = await openPage(served.ticketUrl());
  await tab.evaluate(() => page.connectBackend());
  expect(tab.url()).toBe(`http://127.0.0.1:${served.port}/`);
  const stores = await tab.evaluate(() => ({
    session: Object.values(sessionStorage),
    local: Object.values(localStorage),
    cookie: document.cookie,
  }));
  expect(stores).toEqual({ session: [token], local: [], cookie: '' });
  expect(await tab.context().cookies()).toEqual([]);

  await tab.reload();
  expect(await tab.evaluate(async () => (await page.connectBackend()).windowShell)).toBeNull();
});

test('a page that another tab has replaced does not connect again until it is reloaded', async () => {
  const { web: served } = await startWeb();
  const [first, second] = [await openPage(served.ticketUrl()), await openPage(served.ticketUrl())];
  const watchPhases = () => {
    const connection = page.createReconnectingConnection(page.connectBackend);
    const phases: string[] = [];
    connection.state.subscribe((state) =>
      phases.push(state.phase === 'refused' ? `refused: ${state.error.message}` : state.phase),
    );
    Object.assign(window, { phases });
  };
  const phases = (tab: typeof first) => tab.evaluate(() => Reflect.get(window, 'phases') as string[]);
  await first.evaluate(watchPhases);
  await expect.poll(() => phases(first)).toEqual(['open']);
  await second.evaluate(watchPhases);
  await expect
    .poll(() => phases(first))
    .toEqual(['open', 'refused: Tieout was opened in another tab or window.']);
  // Longer than the first delays before a new connection.
  await second.waitForTimeout(1500);
  expect(await phases(second)).toEqual(['open']);
  await first.reload();
  await first.evaluate(watchPhases);
  await expect.poll(() => phases(first)).toEqual(['open']);
  await expect.poll(async () => (await phases(second)).at(-1)).toMatch(/^refused/);
});

test('rejects a used address and a tab without a token', async () => {
  const { web: served } = await startWeb();
  const url = served.ticketUrl();
  await (await openPage(url)).evaluate(() => page.connectBackend().then(() => null));
  for (const address of [url, `http://127.0.0.1:${served.port}/`]) {
    const tab = await openPage(address);
    const failure = await tab.evaluate(() =>
      page.connectBackend().catch((error) => ({ ...error, text: error.message })),
    );
    expect(failure).toMatchObject({ code: 'conflict', text: expect.stringContaining('not allowed') });
  }
});

test('serves an offered file once, with the token', async () => {
  const { web: served, host } = await startWeb();
  mkdirSync(join(host.home, 'sites', 'acme', 'archive'), { recursive: true });
  writeFileSync(join(host.home, 'sites', 'acme', 'archive', '4.pdf'), '%PDF-1.7');
  const tab = await openPage(served.url);
  const read = await tab.evaluate(async () => {
    const backend = await page.connectBackend();
    const pdf = await page.createClient(backend).statements.pdf({ site: 'acme', id: 4 });
    if (!pdf.stored) throw new Error('not held');
    const bytes = await backend.readBlob(pdf.file.blob);
    const again = await backend.readBlob(pdf.file.blob).catch((error) => error.code);
    return { text: new TextDecoder().decode(bytes), again };
  });
  expect(read).toEqual({ text: '%PDF-1.7', again: 'not_found' });
});

test('ends the page’s connection when a thread crashes, and accepts a new one', async () => {
  const { web: served } = await startWeb();
  const tab = await openPage(served.url);
  const found = await tab.evaluate(async () => {
    const backend = await page.connectBackend();
    const crash = page.createClient(backend).settings.set({ key: 'crash', value: 1 });
    const code = await crash.catch((error) => error.code);
    if (!backend.closed.aborted)
      await new Promise((resolve) => backend.closed.addEventListener('abort', resolve));
    const late = await page
      .createClient(backend)
      .sites.list({})
      .catch((error) => error.code);
    return { code, late };
  });
  expect(found).toEqual({ code: 'disconnected', late: 'disconnected' });
  const again = () =>
    tab.evaluate(async () => {
      const newConnection = page.createClient(await page.connectBackend());
      return newConnection.settings.set({ key: 'b', value: 2 }).catch(() => null);
    });
  await expect.poll(again).toEqual({ b: 2 });
});

test('tells the page when the host has closed', async () => {
  const { web: served } = await startWeb();
  const tab = await openPage(served.url);
  await tab.evaluate(async () => {
    const { closed } = await page.connectBackend();
    Object.assign(window, { ended: new Promise((resolve) => closed.addEventListener('abort', resolve)) });
  });
  await served.close();
  const code = await tab.evaluate(async () => {
    await Reflect.get(window, 'ended');
    return page.connectBackend().catch((error) => error.code);
  });
  expect(code).toBe('disconnected');
});

test('the policy blocks injected scripts, frames and foreign requests, and nothing in normal use', async () => {
  const { web: served } = await startWeb();
  let asked = 0;
  const foreign = await otherServer((_request, response) => {
    asked += 1;
    response.end();
  });

  const tab = await openPage(served.url);
  await tab.evaluate(() => page.connectBackend().then(() => null));
  expect(await tab.evaluate(() => page.violations)).toEqual([]);
  const result = await tab.evaluate(async (address) => {
    const add = (name: string, properties: object) =>
      document.body.append(Object.assign(document.createElement(name), properties));
    add('script', { textContent: 'window.injected = true' });
    add('script', { src: `${address}/x.js` });
    add('img', { src: `${address}/x.png` });
    add('iframe', { src: address });
    document.body.insertAdjacentHTML(
      'beforeend',
      '<p style="color: red" onclick="window.injected = true">x</p>',
    );
    await fetch(address, { mode: 'no-cors' }).catch(() => undefined);
    const sockets = ['ws://127.0.0.1:1', address.replace('http', 'ws')].map((to) => new WebSocket(to));
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.addEventListener('error', resolve))),
    );
    let evaluated = true;
    try {
      new Function('return 1')();
    } catch {
      evaluated = false;
    }
    document.querySelector('p')?.click();
    return { injected: Reflect.has(window, 'injected'), evaluated };
  }, foreign);
  expect(result).toEqual({ injected: false, evaluated: false });
  await expect.poll(() => tab.evaluate(() => new Set(page.violations).size)).toBeGreaterThanOrEqual(5);
  expect(asked).toBe(0);
});

test('denies other pages access to files and socket, even with the token', async () => {
  const { web: served, token } = await startWeb();
  const foreignServer = await otherServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>evil</title>');
  });
  const tab = await openPage(foreignServer);
  const found = await tab.evaluate(
    async ([origin, secret]) => {
      const headers = { authorization: `Bearer ${secret}` };
      const fetched = await fetch(`${origin}/session`, { headers }).then(
        () => 'read',
        () => 'refused',
      );
      const blind = await fetch(`${origin}/`, { mode: 'no-cors' }).then(
        ({ type }) => type,
        () => 'refused',
      );
      const socket = new WebSocket(`${origin?.replace('http', 'ws')}/rpc/writer`, ['tieout', secret ?? '']);
      const opened = await new Promise((resolve) => {
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
      return { fetched, blind, opened };
    },
    [`http://127.0.0.1:${served.port}`, token],
  );
  expect(found).toEqual({ fetched: 'refused', blind: 'refused', opened: 'refused' });
});
