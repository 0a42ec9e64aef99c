import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../../src/host/index.ts';
import { showWindow } from '../../../src/main/app-windows.ts';
import { createOpenedFiles } from '../../../src/main/opening/opened-files.ts';
import { createStartProgress } from '../../../src/main/start-progress.ts';
import { watchUpdates } from '../../../src/main/updates/watch-updates.ts';
import { app, BrowserWindow } from '../../doubles/electron.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';
import { watchWindowEvents } from '../window-page.ts';

test('turning update notices on shows a later version in the window, with a link that the server cannot choose', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{"version":"1.3.0","url":"https://evil.test/"}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const host = await startHost({ home: join(createTemporaryFolder(), 'home'), version: app.getVersion() });
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await host.close();
  });
  await app.whenReady();
  showWindow({
    home: host.home,
    log: host.log,
    files: createOpenedFiles(),
    startProgress: createStartProgress(),
  });
  const [window] = BrowserWindow.getAllWindows();
  const events = watchWindowEvents(window as BrowserWindow);

  void watchUpdates({ client: Promise.resolve(host.client), signal: stop.signal, log: host.log, url });
  await host.client.settings.set({ key: 'theme', value: 'dark' });
  expect(requests).toBe(0);
  await host.client.settings.set({ key: 'updates.notify', value: true });
  await expect
    .poll(() => events)
    .toEqual([{ kind: 'update', version: '1.3.0', url: 'https://tieout.app/releases' }]);
  await host.client.settings.set({ key: 'updates.notify', value: false });
  await host.client.settings.set({ key: 'updates.notify', value: true });
  await host.client.settings.set({ key: 'theme', value: 'light' });
  expect(requests).toBe(1);
});
