import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findElectronProgram } from '../../src/cli/launch/electron-program.ts';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createWindowDriver } from '../e2e/window-driver.ts';
import { createAppEnvironment, createTemporaryHome, HOOKS, openElectron } from './electron-test-app.ts';

interface NamedWorker {
  readonly name: string;
  readonly worker: { terminate(): Promise<number> };
}

test.each(['reader', 'writer'])('the window continues after its %s thread was killed', async (thread) => {
  const { app, page } = await openElectron();
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await app.evaluate(async (_electron, name) => {
    const workers = Reflect.get(globalThis, 'workers') as readonly NamedWorker[];
    await workers.findLast((each) => each.name === name)?.worker.terminate();
  }, thread);
  const started = () =>
    app.evaluate((_electron, name) => {
      const workers = Reflect.get(globalThis, 'workers') as readonly NamedWorker[];
      return workers.filter((each) => each.name === name).length;
    }, thread);
  await expect.poll(started).toBe(2);
  await window.go('Webhooks');
  await expect.poll(() => window.count('Webhooks')).toBeGreaterThan(100);
  // Writes through the writer.
  await window.go('Backups');
  await window.button('Back up now').click();
  await expect.poll(() => window.count('Backups')).toBeGreaterThan(0);
});

test('a killed page is loaded again and shows its data', async () => {
  const { app, page, home } = await openElectron();
  await createWindowDriver(page)
    .freshness(/^Synced/)
    .waitFor();
  // Playwright cannot use a page after its process has ended, so the main process inspects the new one.
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  const readText = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (!window || window.webContents.isCrashed()) return '';
      return (await window.webContents.executeJavaScript('document.body.innerText')) as string;
    });
  await expect.poll(readText).toMatch(/Synced/);
  expect(readFileSync(join(home, 'logs', 'tieout.log'), 'utf8')).toContain('The page ended.');
});

test('an unexpected error of the main process is logged and shown, and ends the app', async () => {
  const { app, home } = await openElectron();
  const exited = once(app.process(), 'exit');
  let output = '';
  app.process().stdout?.on('data', (text) => {
    output += String(text);
  });
  await app.evaluate(() => {
    setTimeout(() => {
      throw new Error('An error of the test.');
    });
  });
  const [code] = await exited;
  expect(code).toBe(1);
  expect(output).toContain('Tieout has to close after an unexpected error');
  expect(readFileSync(join(home, 'logs', 'tieout.log'), 'utf8')).toContain('An error of the test.');
});

test('an unusable data directory is shown as an error box, and the app exits with 1', async () => {
  const unusable = process.platform === 'win32' ? 'Z:\\missing\\<home>' : '/dev/null/home';
  const app = spawn(findElectronProgram(process.env) ?? '', ['--require', HOOKS, appRoot], {
    env: createAppEnvironment(unusable),
  });
  let output = '';
  app.stdout.on('data', (text) => {
    output += String(text);
  });
  const [code] = await once(app, 'exit');
  expect(code).toBe(1);
  expect(output).toContain('Tieout could not start');
  expect(output).toContain('TIEOUT_HOME');
});

test('a start right after quitting opens a window that stays', async () => {
  const home = createTemporaryHome();
  const first = await openElectron(home);
  const exited = once(first.app.process(), 'exit');
  await first.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await exited;
  const second = await openElectron(home);
  await createWindowDriver(second.page)
    .freshness(/^Synced/)
    .waitFor();
});
