import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openInBrowser } from '../../src/web/index.ts';
import type { BrowserEnvironment } from '../../src/web/open-browser.ts';
import { listBrowserCommands } from '../../src/web/open-browser.ts';
import { createTemporaryFolder, startTestHost } from '../host/test-host.ts';
import { createRendererFolder, sendGetRequest } from './test-web-server.ts';

const url = 'http://127.0.0.1:1234/#t=abc';
const linux: BrowserEnvironment = { env: { DISPLAY: ':0', PATH: '' }, platform: 'linux', root: false };

/** Creates a folder of Node scripts to be used as PATH. */
function createPrograms(scripts: Record<string, string>): string {
  const folder = createTemporaryFolder();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!${process.execPath}\n${script}`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test('starts no browser on Linux without a display or as root', () => {
  const PATH = createPrograms({ chromium: '', 'xdg-open': '' });
  expect(listBrowserCommands(url, { ...linux, env: { PATH } }, '/p')).toEqual([]);
  expect(listBrowserCommands(url, { ...linux, env: { PATH, DISPLAY: ':0' }, root: true }, '/p')).toEqual([]);
});

test('prefers an app window with its own profile to the user’s browser', () => {
  const PATH = createPrograms({ chromium: '', 'microsoft-edge': '', 'xdg-open': '' });
  const commands = listBrowserCommands(
    url,
    { ...linux, env: { PATH, WAYLAND_DISPLAY: 'w' } },
    '/home/browser',
  );
  expect(commands.map(({ as, program }) => `${as} ${program.slice(PATH.length + 1)}`)).toEqual([
    'window chromium',
    'window microsoft-edge',
    'tab xdg-open',
  ]);
  expect(commands[0]?.args).toEqual(
    expect.arrayContaining([`--app=${url}`, '--user-data-dir=/home/browser']),
  );
  expect(commands[0]?.args).not.toContain('--no-sandbox');
  expect(commands[2]?.args).toEqual([url]);
});

test('opens a tab on Windows and macOS if no Chromium is installed', () => {
  expect(listBrowserCommands(url, { ...linux, platform: 'darwin' }, '/p').at(-1)).toEqual({
    as: 'tab',
    program: 'open',
    args: [url],
  });
  expect(listBrowserCommands(url, { ...linux, env: {}, platform: 'win32' }, '/p')).toEqual([
    { as: 'tab', program: 'rundll32', args: ['url.dll,FileProtocolHandler', url] },
  ]);
});

/** Starts the app with these browsers installed. `said` contains the printed lines. */
async function startInBrowser(
  scripts: Record<string, string>,
  more: { open?: boolean; env?: Record<string, string>; unusedMs?: number } = {},
) {
  const host = await startTestHost();
  const folder = createPrograms(scripts);
  const stopping = new AbortController();
  const said: string[] = [];
  const PATH = [folder, dirname(process.execPath)].join(delimiter);
  const done = openInBrowser(host, {
    rendererDir: createRendererFolder(),
    open: more.open ?? true,
    browserEnvironment: { ...linux, env: { DISPLAY: ':0', ...more.env, PATH } },
    printLine: (line) => said.push(line),
    stopSignal: stopping.signal,
    idleMs: 50,
    ...(more.unusedMs !== undefined && { unusedMs: more.unusedMs }),
  });
  return { host, folder, said, done, stop: () => stopping.abort() };
}

/**
 * Returns the script of a fake browser that connects like the app's page, records its launch, and stays open until it is
 * killed or exits immediately.
 */
const fakeBrowserScript = (staysOpen: boolean) => `
const { writeFileSync } = require('node:fs');
const url = new URL(process.argv.find((arg) => arg.includes('http')).replace('--app=', ''));
(async () => {
  const headers = { authorization: 'Bearer ' + url.hash.slice(3) };
  const answer = await fetch(url.origin + '/session', { headers });
  const token = await answer.text();
  const socket = new (require(${JSON.stringify(join(import.meta.dirname, '../../node_modules/ws'))}))(
    url.origin.replace('http', 'ws') + '/rpc/reader', ['tieout', token], { origin: url.origin });
  socket.on('open', () => {
    writeFileSync(__dirname + '/note', JSON.stringify({ args: process.argv.slice(2), status: answer.status, token, key: process.env.TIEOUT_API_KEY }));
    ${staysOpen ? '' : 'socket.close();'}
  });
})();`;

const readLaunchRecord = (folder: string) => JSON.parse(readFileSync(join(folder, 'note'), 'utf8'));

test('ends the app when its window is closed', async () => {
  const { done, said, folder } = await startInBrowser({ 'google-chrome': fakeBrowserScript(false) });
  await done;
  expect(said).toEqual(['Tieout is open in its own window. Press Ctrl-C to stop.']);
  const { args, status, token, key } = readLaunchRecord(folder);
  expect(status).toBe(200);
  expect(key).toBeUndefined();
  expect(args.join(' '), 'the command line holds a ticket, not the token').not.toContain(token);
});

test('finishes a running job after the window is closed', async () => {
  const { done, said, host } = await startInBrowser({ 'google-chrome': fakeBrowserScript(false) });
  writeFileSync(join(host.home, 'working'), '');
  await expect.poll(() => said.at(-1)).toMatch(/^Still running: sync\./);
  rmSync(join(host.home, 'working'));
  await done;
});

test('ends the app and its window on Ctrl-C', async () => {
  const { done, stop, folder } = await startInBrowser({ 'google-chrome': fakeBrowserScript(true) });
  await expect.poll(() => existsSync(join(folder, 'note'))).toBe(true);
  stop();
  await done;
});

test('uses the user’s browser if Chromium does not start; its tab does not end the app', async () => {
  const { done, said, stop, folder } = await startInBrowser({
    // The browser fails only after a delay.
    chromium: 'setTimeout(() => process.exit(1), 1500)',
    'xdg-open': fakeBrowserScript(false),
  });
  await expect.poll(() => said.length).toBe(2);
  expect(said[0]).toMatch(/^Tieout is at http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/);
  expect(said[1]).toContain('open in your browser');
  await expect.poll(() => existsSync(join(folder, 'note'))).toBe(true);
  const { port } = new URL(said[0]?.split(' at ')[1] ?? '');
  expect((await sendGetRequest(Number(port), '/')).status).toBe(200);
  stop();
  await done;
});

test('a host that nobody uses ends, but not while a job is running', async () => {
  const { done, said, host } = await startInBrowser({}, { open: false, unusedMs: 100 });
  writeFileSync(join(host.home, 'working'), '');
  await expect.poll(() => said.at(-1)).toMatch(/^Still running: sync\./);
  rmSync(join(host.home, 'working'));
  await done;
  expect(said.at(-1)).toMatch(/^Tieout has ended, because its window was not open/);
});

test('prints the address if no browser can be opened', async () => {
  for (const more of [{ open: false }, { env: { DISPLAY: '' } }, {}]) {
    const { done, said, stop } = await startInBrowser({}, more);
    await expect.poll(() => said.length).toBe(2);
    expect(said[1]).toContain('Open this address');
    const { port, hash } = new URL(said[0]?.split(' at ')[1] ?? '');
    const authorization = `Bearer ${hash.slice(3)}`;
    expect((await sendGetRequest(Number(port), '/session', { authorization })).status).toBe(200);
    stop();
    await done;
  }
});
