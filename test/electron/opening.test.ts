import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { expect, test } from 'vitest';
import { findElectronProgram } from '../../src/cli/launch/electron-program.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createAppEnvironment, openElectron } from './electron-test-app.ts';

test('the first start opens one window with the demo site, which syncs', async () => {
  const { app, page, complaints } = await openElectron();
  expect(page.url()).toMatch(/^app:\/\/tieout\//);
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await window.go('Webhooks');
  await expect.poll(() => window.count('Webhooks')).toBeGreaterThan(100);
  await window.rows('Webhooks').first().click();
  const shown = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => ({ title: each.getTitle(), visible: each.isVisible() })),
  );
  expect(shown).toEqual([{ title: expect.stringContaining('Tieout') as string, visible: true }]);
  expect(complaints).toEqual([]);
});

/** Chooses a menu item by its role. */
async function choose(app: ElectronApplication, role: string): Promise<void> {
  await app.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const [window] = BrowserWindow.getAllWindows();
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    const entry = entries.find((each) => each.role?.toLowerCase() === wanted.toLowerCase());
    if (!entry) throw new Error(`The menu has no ${wanted}.`);
    entry.click(undefined, window, window?.webContents);
  }, role);
}

test('the menu zooms in and resets the zoom', async () => {
  const { app } = await openElectron();
  const zoom = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await choose(app, 'zoomIn');
  await expect.poll(zoom).toBeGreaterThan(0);
  await choose(app, 'resetZoom');
  await expect.poll(zoom).toBe(0);
});

test('Quit ends all work and saves the window’s position', async () => {
  const { app, home } = await openElectron();
  const exited = once(app.process(), 'exit');
  await choose(app, 'quit').catch(() => undefined);
  const [code] = await exited;
  expect(code).toBe(0);
  expect(readFileSync(join(home, 'logs', 'tieout.log'), 'utf8')).toContain('Closed.');
  expect(existsSync(join(home, 'window', 'window-position.json'))).toBe(true);
});

test('a second start on the same home exits and focuses the first window', async () => {
  const { app, home } = await openElectron();
  await app.evaluate(({ BrowserWindow }) => {
    const calls: string[] = [];
    Object.assign(globalThis, { calls });
    for (const window of BrowserWindow.getAllWindows()) {
      Object.assign(window, {
        isMinimized: () => true,
        restore: () => calls.push('restore'),
        focus: () => calls.push('focus'),
      });
    }
  });
  const second = spawn(findElectronProgram(process.env) ?? '', [appRoot], {
    cwd: appRoot,
    env: createAppEnvironment(home),
  });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  const calls = () => app.evaluate(() => Reflect.get(globalThis, 'calls') as string[]);
  await expect.poll(calls).toEqual(['restore', 'focus']);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});
