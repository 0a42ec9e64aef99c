import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import type { TestPage } from '../web/page/page.ts';
import { launchTestBrowser, type TestBrowser } from '../web/test-browser.ts';
import { startTestWebServer } from '../web/test-web-server.ts';
import { createPreloadScript } from './preload-script.ts';

declare const page: TestPage;

/**
 * Tests the built preload script in a real Chromium. The page simulates `electron` and relays its ports through sockets.
 */
let browser: TestBrowser;
let preload: string;

beforeAll(async () => {
  preload = readFileSync(join(appRoot, 'out', 'preload', 'index.cjs'), 'utf8');
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

test('gives the page two ports through the preload script to call both threads', async () => {
  const { web, token, host } = await startTestWebServer({ rendererDir: browser.rendererDir });
  const tab = await browser.open(`http://127.0.0.1:${web.port}/`, createPreloadScript(preload, token));
  const found = await tab.evaluate(async () => {
    const backend = await page.connectBackend();
    const client = page.createClient(backend);
    const stream = await client.changes.watch({});
    const first = (await stream.next()).value;
    await stream.return?.();
    return {
      isElectron: backend.windowShell !== null,
      about: await client.app.about({}),
      first,
      stored: Object.keys(sessionStorage),
    };
  });
  expect(found).toMatchObject({ isElectron: true, first: { topics: ['sites'] }, stored: [] });
  expect(found.about.home).toBe(host.home);
});

test('ends the connection when one port closes, and reconnects', async () => {
  const { web, token } = await startTestWebServer({ rendererDir: browser.rendererDir });
  const tab = await browser.open(`http://127.0.0.1:${web.port}/`, createPreloadScript(preload, token));
  const found = await tab.evaluate(async () => {
    const backend = await page.connectBackend();
    const client = page.createClient(backend);
    await client.settings.set({ key: 'a', value: 1 });
    const ended = new Promise((resolve) => backend.closed.addEventListener('abort', resolve));
    Reflect.get(window, 'drop')();
    await ended;
    const late = await client.sites.list({}).catch((error) => error.code);
    const newConnection = page.createClient(await page.connectBackend());
    return { late, again: await newConnection.settings.set({ key: 'b', value: 2 }) };
  });
  expect(found).toEqual({ late: 'disconnected', again: { b: 2 } });
});

test('ignores a message that only imitates the ports', async () => {
  const { web, token } = await startTestWebServer({ rendererDir: browser.rendererDir });
  const tab = await browser.open(`http://127.0.0.1:${web.port}/`, createPreloadScript(preload, token));
  const shell = await tab.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const connecting = page.connectBackend();
    const { port1, port2 } = new MessageChannel();
    window.dispatchEvent(
      new MessageEvent('message', {
        data: 'tieout:ports',
        source: frame.contentWindow,
        ports: [port1, port2],
      }),
    );
    const backend = await connecting;
    return (await page.createClient(backend).settings.set({ key: 'c', value: 3 }))['c'];
  });
  expect(shell).toBe(3);
});
