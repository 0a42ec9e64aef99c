import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ElectronApplication } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../src/host/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createTemporaryHome, openElectron, recordMainCalls } from './electron-test-app.ts';

/** How the window behaves in the system: full screen, menus, further windows, sleep, jobs and updates. */
async function openSynced(home?: string, env?: Readonly<Record<string, string>>) {
  const opened = await openElectron(home, env);
  await createWindowDriver(opened.page)
    .freshness(/^Synced/)
    .waitFor();
  return opened;
}

const countWindows = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

test('full screen is restored at the next start', async () => {
  const home = createTemporaryHome();
  const first = await openSynced(home);
  const isFullScreen = (app: ElectronApplication) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFullScreen());
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setFullScreen(true));
  await expect.poll(() => isFullScreen(first.app)).toBe(true);
  const exited = once(first.app.process(), 'exit');
  await first.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await exited;
  const second = await openSynced(home);
  await expect.poll(() => isFullScreen(second.app)).toBe(true);
});

test('the context menu of a field offers the standard commands', async () => {
  const { app, page } = await openSynced();
  await app.evaluate(({ Menu }) => {
    const roles: (string | undefined)[] = [];
    Object.assign(globalThis, { roles });
    Object.assign(Menu.prototype, {
      popup(this: Electron.Menu) {
        roles.push(...this.items.map(({ role }) => role?.toLowerCase()));
      },
    });
  });
  await createWindowDriver(page).go('Webhooks');
  await page.getByRole('searchbox').or(page.getByRole('textbox')).first().click({ button: 'right' });
  const roles = () => app.evaluate(() => Reflect.get(globalThis, 'roles') as string[]);
  await expect.poll(roles).toEqual(expect.arrayContaining(['cut', 'copy', 'paste', 'selectall']));
});

test('a page that does not respond can be reloaded', async () => {
  const { app } = await openSynced();
  const calls = await recordMainCalls(app, 1);
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // Chromium reports a hanging page only after input, so the event is emitted in its place.
    window?.emit('unresponsive');
  });
  await expect.poll(async () => (await calls()).asked).toEqual(['Tieout’s window does not respond']);
  const readText = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (!window || window.webContents.isCrashed()) return '';
      return (await window.webContents.executeJavaScript('document.body.innerText')) as string;
    });
  await expect.poll(readText).toMatch(/Synced/);
});

test('the menu opens a second window, which closes without ending the app', async () => {
  const { app } = await openSynced();
  const opened = app.waitForEvent('window');
  await app.evaluate(({ Menu }) => {
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    entries.find(({ label }) => label === 'New Window')?.click();
  });
  const second = await opened;
  await createWindowDriver(second)
    .freshness(/^Synced/)
    .waitFor();
  expect(await countWindows(app)).toBe(2);
  await second.close();
  await expect.poll(() => countWindows(app)).toBe(1);
});

test('after sleep, the page checks at once whether the service is available', async () => {
  const { app, page } = await openSynced();
  // The automatic sync listens for this event.
  const woken = page.evaluate(
    () => new Promise((resolve) => window.addEventListener('online', () => resolve(null))),
  );
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await woken;
});

/** Records what the app requests from the system. */
async function recordSystemCalls(app: ElectronApplication) {
  await app.evaluate(({ BrowserWindow, Notification, powerSaveBlocker }) => {
    const calls = { progress: [] as number[], blockers: 0, notified: [] as string[] };
    Object.assign(globalThis, { calls });
    Object.assign(powerSaveBlocker, {
      start: () => {
        calls.blockers += 1;
        return 1;
      },
      stop: () => {
        calls.blockers -= 1;
      },
    });
    Object.assign(Notification.prototype, {
      show(this: Electron.Notification) {
        calls.notified.push(this.title);
      },
    });
    Object.assign(BrowserWindow, { getFocusedWindow: () => null });
    for (const window of BrowserWindow.getAllWindows())
      Object.assign(window, { setProgressBar: (value: number) => calls.progress.push(value) });
  });
  return () =>
    app.evaluate(
      () => Reflect.get(globalThis, 'calls') as { progress: number[]; blockers: number; notified: string[] },
    );
}

test('a replay shows its progress, keeps the computer awake, is asked about and is notified', async () => {
  const sandbox = await startSandbox({
    subscriptions: 12,
    months: 2,
    faults: { endpoint_down: ['2026-10-03T04:00:00Z', '2026-10-09T04:00:00Z'] },
  });
  onTestFinished(() => sandbox.close());
  const home = createTemporaryHome();
  // A second process on the same data directory sends; the app observes its jobs.
  const host = await startHost({ home, version: '1.2.3' });
  onTestFinished(() => host.close());
  const { client } = host;
  await client.sites.add({ title: 'Acme', site: 'acme', base_url: sandbox.url, api_key: sandbox.apiKey });
  const { job: sync } = await client.sync.start({ site: 'acme' });
  const getState = async (job: string) => (await client.jobs.get({ site: 'acme', job })).state;
  await expect.poll(() => getState(sync)).toBe('done');

  const { app } = await openElectron(home);
  await createWindowDriver(await app.firstWindow())
    .freshness(/^Synced/)
    .waitFor();
  const readCalls = await recordSystemCalls(app);
  const mainCalls = await recordMainCalls(app, 1);
  const { plan } = await client.replay.plan({ site: 'acme', selection: { filter: { status: 'failed' } } });
  const { job } = await client.replay.run({ site: 'acme', plan, rate: 1, batch_size: 1 });
  await expect.poll(async () => (await readCalls()).blockers).toBe(1);
  await expect.poll(async () => (await readCalls()).progress.some((value) => value >= 0)).toBe(true);

  await app.evaluate(({ app: electron }) => electron.quit());
  await expect
    .poll(async () => (await mainCalls()).asked)
    .toEqual(['A job is sending to the billing service']);
  expect(await countWindows(app)).toBe(1);

  await expect.poll(() => getState(job), { timeout: 100_000 }).toBe('done');
  await expect.poll(async () => (await readCalls()).notified).toContain('Tieout: a job has finished (acme)');
  expect(await readCalls()).toMatchObject({ blockers: 0 });
  expect((await readCalls()).progress.at(-1)).toBe(-1);
});

test('a later release is shown only if update notices are on', async () => {
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requested.push(url);
    response.setHeader('content-type', 'application/json');
    response.end('{"version": "99.1.0"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { TIEOUT_RELEASES_URL: `http://127.0.0.1:${port}/latest.json` };
  const { page, home } = await openSynced(undefined, env);
  expect(requested).toEqual([]);
  const host = await startHost({ home, version: '1.2.3' });
  onTestFinished(() => host.close());
  await host.client.settings.set({ key: 'updates.notify', value: true });
  await page.getByText('Tieout 99.1.0 is available.').first().waitFor();
  expect(requested).toEqual(['/latest.json']);
});
