import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { MessagePortMain } from 'electron';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { WindowEvent, WindowShellClient } from '../../src/contract/index.ts';
import { handleAppEvents, openArguments } from '../../src/main/app-events.ts';
import { findWindowShell, showWindow, type WindowContext } from '../../src/main/app-windows.ts';
import { createOpenedFiles } from '../../src/main/opening/opened-files.ts';
import {
  app,
  BrowserWindow,
  createEvent,
  createPagePort,
  powerMonitor,
  recorded,
  resetElectron,
} from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

let context: WindowContext;
/** Folder with a bank file and an evidence pack. */
let folder: string;

beforeEach(async () => {
  await app.whenReady();
  for (const window of BrowserWindow.getAllWindows()) window.closeQuietly();
  resetElectron();
  app.removeAllListeners();
  powerMonitor.removeAllListeners();
  folder = createTemporaryFolder();
  writeFileSync(join(folder, 'september.sta'), ':20:STARTUMS');
  writeFileSync(join(folder, 'evidence.zip'), 'PK');
  context = { home: createTemporaryFolder(), log: () => undefined, files: createOpenedFiles() };
  // The backend is still starting.
  handleAppEvents(context, new Promise(() => undefined));
});

/** Simulates another platform until the end of the test. */
function pretendPlatform(platform: NodeJS.Platform): void {
  const actual = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: actual }));
}

function getLatestWindow(): BrowserWindow {
  const window = BrowserWindow.getAllWindows().at(-1);
  if (window === undefined) throw new Error('no window');
  return window;
}

/** Connects the page of a window. Returns its client and the events that it receives. */
async function connectPage(window: BrowserWindow) {
  const port = createPagePort();
  onTestFinished(() => port.page.close());
  findWindowShell(window.webContents.id)?.serve(port.main as unknown as MessagePortMain);
  const client: WindowShellClient = createORPCClient(new RPCLink({ port: port.page }));
  const events: WindowEvent[] = [];
  const watch = async () => {
    for await (const event of await client.watch({})) events.push(event);
  };
  watch().catch(() => undefined);
  return { client, events };
}

const startAgain = (argv: readonly string[], from = folder) =>
  app.emit('second-instance', createEvent(), argv, from, null);

test('files of the first start wait for the page, which reads their contents', async () => {
  showWindow(context);
  openArguments(['tieout', 'september.sta', '--lang=de', 'evidence.zip', 'gone.csv'], folder, context);
  const { client, events } = await connectPage(getLatestWindow());
  await expect.poll(() => events.map(({ kind }) => kind)).toEqual(['bankFile', 'pack', 'fileProblem']);
  const [bankFile, pack, problem] = events;
  expect(pack).toEqual({ kind: 'pack', path: join(folder, 'evidence.zip') });
  expect(problem).toMatchObject({ message: expect.stringContaining(join(folder, 'gone.csv')) as string });
  const id = bankFile?.kind === 'bankFile' ? bankFile.id : '';
  expect(await (await client.takeFile({ id })).file.text()).toBe(':20:STARTUMS');
  await expect(client.takeFile({ id })).rejects.toMatchObject({ code: 'not_found' });
});

test('of events that are no files, only the latest of each kind waits for the page', async () => {
  showWindow(context);
  for (const view of ['bank', 'sync'])
    openArguments(['tieout', `tieout://open/demo/${view}`], folder, context);
  powerMonitor.emit('resume');
  powerMonitor.emit('resume');
  const { events } = await connectPage(getLatestWindow());
  await expect.poll(() => events).toEqual([{ kind: 'link', path: '/demo/sync' }, { kind: 'resume' }]);
});

test('a further start brings the window to the front and opens its files, relative to its own folder', async () => {
  showWindow(context);
  const window = getLatestWindow();
  const { events } = await connectPage(window);
  startAgain(['tieout', './september.sta']);
  await expect.poll(() => events).toMatchObject([{ kind: 'bankFile', name: 'september.sta' }]);
  expect(window.calls.at(-1)).toBe('focus');
  expect(BrowserWindow.all.size).toBe(1);
});

test('a further start with --new-window opens its files in a second window', async () => {
  showWindow(context);
  const first = await connectPage(getLatestWindow());
  startAgain(['tieout', '--new-window', join(folder, 'evidence.zip')]);
  expect(BrowserWindow.all.size).toBe(2);
  const second = await connectPage(getLatestWindow());
  await expect.poll(() => second.events).toMatchObject([{ kind: 'pack' }]);
  expect(first.events).toEqual([]);
});

test('all windows continue after the computer has slept', async () => {
  showWindow(context);
  const first = await connectPage(getLatestWindow());
  startAgain(['tieout', '--new-window']);
  const second = await connectPage(getLatestWindow());
  powerMonitor.emit('resume');
  for (const { events } of [first, second]) await expect.poll(() => events).toEqual([{ kind: 'resume' }]);
});

test('a start while the app is ending starts again with the same files', () => {
  showWindow(context);
  app.quit();
  startAgain(['tieout', '/data/a.csv']);
  expect(recorded.relaunches).toEqual([['/data/a.csv']]);
  expect(BrowserWindow.all.size).toBe(0);
});

test.each(['darwin', 'win32'] as const)('opened files are recent files on %s', (platform) => {
  pretendPlatform(platform);
  showWindow(context);
  startAgain(['tieout', 'evidence.zip', 'september.sta', 'gone.csv', '.']);
  expect(recorded.recentDocuments).toEqual([join(folder, 'evidence.zip'), join(folder, 'september.sta')]);
});

test.runIf(process.platform === 'linux')('Linux has no recent files', () => {
  showWindow(context);
  startAgain(['tieout', 'evidence.zip']);
  expect(recorded.recentDocuments).toEqual([]);
});
