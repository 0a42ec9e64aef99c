import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { handleAppEvents, openArguments } from '../../src/main/app-events.ts';
import { showWindow, type WindowContext } from '../../src/main/app-windows.ts';
import { createOpenedFiles } from '../../src/main/opening/opened-files.ts';
import { createStartProgress } from '../../src/main/start-progress.ts';
import {
  app,
  BrowserWindow,
  createEvent,
  powerMonitor,
  recorded,
  resetElectron,
} from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { pretendPlatform } from './pretend-platform.ts';
import { connectWindowShell, watchWindowEvents } from './window-page.ts';

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
  context = {
    home: createTemporaryFolder(),
    log: () => undefined,
    files: createOpenedFiles(),
    startProgress: createStartProgress(),
  };
  // The backend is still starting.
  handleAppEvents(context, new Promise(() => undefined));
});

function getLatestWindow(): BrowserWindow {
  const window = BrowserWindow.getAllWindows().at(-1);
  if (window === undefined) throw new Error('no window');
  return window;
}

const startAgain = (argv: readonly string[], from = folder) =>
  app.emit('second-instance', createEvent(), argv, from, null);

test('files of the first start wait for the page, which reads their contents', async () => {
  showWindow(context);
  openArguments(['tieout', 'september.sta', '--lang=de', 'evidence.zip', 'gone.csv'], folder, context);
  const client = connectWindowShell(getLatestWindow());
  const events = watchWindowEvents(getLatestWindow(), client);
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
  const events = watchWindowEvents(getLatestWindow());
  await expect.poll(() => events).toEqual([{ kind: 'link', path: '/demo/sync' }, { kind: 'resume' }]);
});

test('a further start brings the window to the front and opens its files, relative to its own folder', async () => {
  showWindow(context);
  const window = getLatestWindow();
  const events = watchWindowEvents(window);
  startAgain(['tieout', './september.sta']);
  await expect.poll(() => events).toMatchObject([{ kind: 'bankFile', name: 'september.sta' }]);
  expect(window.calls.at(-1)).toBe('focus');
  expect(BrowserWindow.all.size).toBe(1);
});

test('a further start with --new-window opens its files in a second window', async () => {
  showWindow(context);
  const first = watchWindowEvents(getLatestWindow());
  startAgain(['tieout', '--new-window', join(folder, 'evidence.zip')]);
  expect(BrowserWindow.all.size).toBe(2);
  const second = watchWindowEvents(getLatestWindow());
  await expect.poll(() => second).toMatchObject([{ kind: 'pack' }]);
  expect(first).toEqual([]);
});

test('all windows continue after the computer has slept', async () => {
  showWindow(context);
  const first = watchWindowEvents(getLatestWindow());
  startAgain(['tieout', '--new-window']);
  const second = watchWindowEvents(getLatestWindow());
  powerMonitor.emit('resume');
  for (const events of [first, second]) await expect.poll(() => events).toEqual([{ kind: 'resume' }]);
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
