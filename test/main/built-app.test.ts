import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

/** Tests the app as built for Electron, with a test double in place of Electron. */
const outPath = (path: string) => join(appRoot, 'out', path);

test('the preload script is one CommonJS file that exposes only tieout.connect', () => {
  expect(readdirSync(outPath('preload'))).toEqual(['index.cjs']);
  const source = readFileSync(outPath('preload/index.cjs'), 'utf8');
  const exposed: Record<string, Record<string, unknown>> = {};
  const posted: unknown[][] = [];
  const required: string[] = [];
  const electron = {
    contextBridge: {
      exposeInMainWorld(name: string, api: Record<string, unknown>) {
        exposed[name] = api;
      },
    },
    ipcRenderer: { postMessage: (...given: unknown[]) => posted.push(['main', ...given]) },
  };
  class Channel {
    readonly port1 = { end: 'main' };
    readonly port2 = { end: 'page' };
  }
  runInNewContext(source, {
    require(name: string) {
      required.push(name);
      return electron;
    },
    MessageChannel: Channel,
    location: { origin: 'app://tieout' },
    window: { postMessage: (...given: unknown[]) => posted.push(['page', ...given]) },
  });
  expect(required).toEqual(['electron']);
  expect(Object.keys(exposed)).toEqual(['tieout']);
  expect(Object.keys(exposed['tieout'] ?? {})).toEqual(['connect']);

  const connect = exposed['tieout']?.['connect'] as (...given: unknown[]) => unknown;
  expect(connect('anything', { a: 1 })).toBeUndefined();
  const [main, page] = [{ end: 'main' }, { end: 'page' }];
  expect(JSON.parse(JSON.stringify(posted))).toEqual([
    ['main', 'connect', null, [main, main, main]],
    ['page', 'tieout:ports', 'app://tieout', [page, page, page]],
  ]);
});

interface DriveResult {
  readonly [name: string]: unknown;
  readonly about: { version: string; home: string };
  readonly sites: { site: string; demo: boolean }[];
  readonly page: { status: number; type: string; text: string };
  readonly recorded: Record<string, unknown> & { paths: { userData: string } };
}

async function runMain(env: Record<string, string>, appArguments: string[] = []): Promise<DriveResult> {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const args = [
    '--import',
    at('../doubles/register.ts'),
    at('./run-main-process.ts'),
    outPath('main/index.js'),
    ...appArguments,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as DriveResult;
}

test('starts, opens one window, answers a call and quits', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const found = await runMain({ TIEOUT_HOME: home, TIEOUT_API_KEY: 'key-of-the-environment' });

  expect(found.recorded).toMatchObject({
    sandboxed: [true],
    paths: { userData: join(home, 'window') },
    errors: [],
    appUserModelId: 'app.tieout.desktop',
    relaunches: [expect.any(Array)],
    // In a checkout, Electron's own program opens a link, and needs the folder of the app.
    linkPrograms: [{ scheme: 'tieout', path: process.execPath, args: [appRoot] }],
  });
  expect(found.recorded['schemes']).toEqual([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
  expect(found).toMatchObject({ environmentKey: 'key-of-the-environment', keyAfterStart: null });
  // The window shows the progress of the start.
  expect(found['startedBeforeWindow']).toBe(false);
  expect(found['windowUrl']).toBe('app://tieout/');
  expect(found['windowCalls']).toContain('show');
  expect(found['options']).toMatchObject({
    webPreferences: { sandbox: true, contextIsolation: true },
    show: false,
  });
  const { preload } = (found['options'] as { webPreferences: { preload: string } }).webPreferences;
  expect(existsSync(preload)).toBe(true);

  expect(found.about).toMatchObject({ version: '1.2.3', home });
  expect(found.sites).toMatchObject([{ site: 'demo', demo: true }]);
  expect(found['settings']).toMatchObject({ theme: 'dark' });
  expect(found.page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  expect(found.page.text).toContain('<div id="root">');
  expect(found['file']).toMatchObject({ status: 404 });
  expect(found['guarded']).toBe(true);
  expect(found).toMatchObject({
    windowsAfterSecondStart: 1,
    windowsWhileEnding: 0,
    exit: 0,
    linksEnded: true,
  });

  const log = readFileSync(join(home, 'logs', 'tieout.log'), 'utf8');
  expect(log).toContain('A foreign frame requested the backend.');
  expect(log).toContain('Closed.');
  expect(log).not.toContain('key-of-the-environment');
  expect(statSync(join(home, 'window', 'window-position.json')).mode & 0o777).toBe(0o600);
});

test('opens the files of the start, also one that macOS passes before the app is ready', async () => {
  const folder = createTemporaryFolder();
  const [early, late] = [join(folder, 'early.csv'), join(folder, 'late.sta')];
  writeFileSync(early, 'date,amount');
  writeFileSync(late, ':20:STARTUMS');
  const { opened } = await runMain({ TIEOUT_HOME: join(folder, 'home') }, [
    pathToFileURL(late).href,
    `--early-file=${early}`,
  ]);
  expect(opened).toEqual([
    { kind: 'bankFile', name: 'late.sta', text: ':20:STARTUMS' },
    { kind: 'bankFile', name: 'early.csv', text: 'date,amount' },
  ]);
});

test('shows an error box for an unusable data directory and quits', async () => {
  const found = await runMain({ TIEOUT_HOME: '/dev/null/home' });
  expect(found.recorded).toMatchObject({
    exit: 1,
    errors: [{ title: 'Tieout could not start', beforeReady: false }],
  });
  expect(JSON.stringify(found.recorded['errors'])).toContain('--home or TIEOUT_HOME');
});

test('runs the command line for the packaged `tieout` command, without a window', async () => {
  const home = join(createTemporaryFolder(), 'home');
  const register = fileURLToPath(new URL('../doubles/register.ts', import.meta.url));
  const args = ['--import', register, outPath('main/index.js'), '--cli'];
  const run = (...rest: string[]) =>
    promisify(execFile)(process.execPath, [...args, ...rest], { env: { ...process.env, TIEOUT_HOME: home } });
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse((await run('status', '--json')).stdout)).toBeDefined();
  await expect(run('no-such-command')).rejects.toMatchObject({ code: 2 });
});
