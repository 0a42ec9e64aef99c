import { join } from 'node:path';
import type { MessagePortMain } from 'electron';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createStartProgress } from '../../src/main/start-progress.ts';
import { createWindowShell } from '../../src/main/window-shell.ts';
import { createPagePort } from '../doubles/electron.ts';
import { launchTestBrowser, type TestBrowser } from '../web/test-browser.ts';
import { startTestWebServer } from '../web/test-web-server.ts';

/** Tests the built page in a real Chromium while the backend starts: its window answers, and both threads do not. */
let browser: TestBrowser;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

/** Opens the page with a window port that a window shell serves, and reader and writer ports that never answer. */
async function openStartingPage() {
  const startProgress = createStartProgress();
  const shell = createWindowShell({
    print: () => Promise.resolve('failed'),
    startSaving: () => Promise.resolve(null),
    setTheme: () => undefined,
    setMenu: () => undefined,
    takeFile: () => Promise.reject(new Error('no file was opened')),
    watchStart: startProgress.watch,
  });
  const { main, page: port } = createPagePort();
  onTestFinished(() => port.close());
  shell.serve(main as unknown as MessagePortMain);
  const { web } = await startTestWebServer({ rendererDir: join(appRoot, 'out', 'renderer') });
  const tab = await browser.open(`http://127.0.0.1:${web.port}/`, async (context) => {
    await context.exposeFunction('sendToWindow', (frame: string) => port.postMessage(frame));
    await context.addInitScript(() => {
      const connect = () => {
        const channels = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
        const [, , toWindow] = channels;
        if (!toWindow) return;
        toWindow.port1.onmessage = ({ data }) => Reflect.get(window, 'sendToWindow')(data);
        Object.assign(window, { receiveFromWindow: (frame: string) => toWindow.port1.postMessage(frame) });
        const ports = channels.map(({ port2 }) => port2);
        window.postMessage('tieout:ports', location.origin, ports);
      };
      Object.assign(window, { tieout: { connect } });
    });
  });
  port.on('message', (frame: string) => {
    void tab.evaluate((sent) => Reflect.get(window, 'receiveFromWindow')(sent), frame).catch(() => undefined);
  });
  return { tab, startProgress };
}

test('shows that Tieout starts, then the share of the migrations that is done', async () => {
  const { tab, startProgress } = await openStartingPage();
  const bar = tab.getByRole('progressbar');
  await tab.getByText('Starting Tieout…').waitFor();
  expect(await bar.getAttribute('aria-valuenow')).toBeNull();

  startProgress.report({ done: 2, total: 8 });
  await tab.getByText('Updating the local database: 2 of 8 steps').waitFor();
  expect(await bar.getAttribute('aria-valuenow')).toBe('25');
  startProgress.report({ done: 7, total: 8 });
  await tab.getByText('Updating the local database: 7 of 8 steps').waitFor();
  expect(await bar.getAttribute('aria-valuenow')).toBe('87');
});
