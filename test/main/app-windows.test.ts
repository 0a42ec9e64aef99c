import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { sendToWindow, setAppMenu, showWindow } from '../../src/main/app-windows.ts';
import { createOpenedFiles } from '../../src/main/opening/opened-files.ts';
import { restrictPermissions } from '../../src/main/restrict-permissions.ts';
import { createStartProgress, type StartProgress } from '../../src/main/start-progress.ts';
import { app, BrowserWindow, nativeTheme, recorded, resetElectron, session } from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { pretendPlatform } from './pretend-platform.ts';
import { connectWindowShell } from './window-page.ts';

let options: Parameters<typeof showWindow>[0];
let logRecords: LogRecord[];
let startProgress: StartProgress;

beforeEach(async () => {
  await app.whenReady();
  for (const window of BrowserWindow.getAllWindows()) window.closeQuietly();
  resetElectron();
  logRecords = [];
  startProgress = createStartProgress();
  options = {
    home: createTemporaryFolder(),
    log: (record) => void logRecords.push(record),
    files: createOpenedFiles(),
    startProgress,
  };
});

function openTestWindow(): BrowserWindow {
  showWindow(options);
  const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.mainFrame.url !== '');
  if (window === undefined) throw new Error('no window');
  return window;
}

test('opens one window, then brings it to the front even if minimized', () => {
  const window = openTestWindow();
  expect(window.webContents.mainFrame.url).toBe('app://tieout/');
  expect(openTestWindow()).toBe(window);
  expect(BrowserWindow.all.size).toBe(1);
  expect(window.calls.at(-1)).toBe('focus');
  window.minimize();
  openTestWindow();
  expect(window.calls.slice(-2)).toEqual(['restore', 'focus']);
});

test('brings the app window to the front, not a print window', () => {
  const printWindow = new BrowserWindow({});
  const window = openTestWindow();
  expect(BrowserWindow.getAllWindows()).toEqual([printWindow, window]);
  showWindow(options);
  expect(window.calls.at(-1)).toBe('focus');
  expect(printWindow.calls).toEqual([]);
});

test('opens a new window while the previous one is closing', () => {
  const window = openTestWindow();
  window.on('close', () => showWindow(options));
  window.close();
  expect(window.calls).not.toContain('focus');
  expect(BrowserWindow.all.size).toBe(1);
});

test('reloads a crashed page, then names the log and asks', async () => {
  const window = openTestWindow();
  const ended = (reason: string) => window.webContents.emit('render-process-gone', {}, { reason });
  ended('clean-exit');
  for (const reason of ['crashed', 'oom', 'crashed']) ended(reason);
  expect(window.webContents.reloads).toBe(3);
  expect(recorded.messageBoxes).toEqual([]);
  recorded.response = 0;
  ended('crashed');
  expect(recorded.messageBoxes).toEqual(['Tieout’s window stopped several times in a row']);
  expect(recorded.messageBoxDetails.at(-1)).toContain(join(options.home, 'logs', 'tieout.log'));
  expect(window.calls.at(-1)).toBe('show');
  await expect.poll(() => window.webContents.reloads).toBe(4);
  expect(logRecords.map(({ level }) => level)).toEqual(['info', 'info', 'error', 'error', 'error', 'error']);
  window.close();
  ended('killed');
  expect(recorded.messageBoxes).toHaveLength(1);
  expect(window.webContents.reloads).toBe(4);
});

test('quits if the user chooses to', async () => {
  const window = openTestWindow();
  recorded.response = 1;
  recorded.exit = null;
  for (let time = 0; time < 4; time += 1)
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  await expect.poll(() => recorded.exit).toBe(0);
  expect(window.webContents.reloads).toBe(3);
});

/** Requests a new window from the page. The request is always denied. */
function requestWindow(window: BrowserWindow, url: string): void {
  expect(window.webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
}

test('opens a link after the user has confirmed its host', async () => {
  const window = openTestWindow();
  recorded.response = 1;
  requestWindow(window, 'https://example.test/a');
  await expect.poll(() => recorded.messageBoxes).toEqual(['Open example.test in your browser?']);
  recorded.response = 0;
  requestWindow(window, 'https://example.test/b');
  await expect.poll(() => recorded.openedLinks).toEqual(['https://example.test/b']);
});

test.each(['http://example.test/', 'file:///etc/passwd', 'javascript:alert(1)', 'app://tieout/'])(
  '%s is not opened, without asking',
  async (url) => {
    const window = openTestWindow();
    recorded.response = 0;
    requestWindow(window, url);
    requestWindow(window, 'https://example.test/');
    await expect.poll(() => recorded.openedLinks).toEqual(['https://example.test/']);
    expect(recorded.messageBoxes).toHaveLength(1);
  },
);

test('returns to the start page after a navigation that cannot be prevented', () => {
  const { webContents } = openTestWindow();
  webContents.navigate('https://evil.test/');
  expect(webContents.mainFrame.url).toBe('app://tieout/');
  webContents.navigate('about:blank');
  expect(webContents.mainFrame.url).toBe('app://tieout/');
});

test('a page downloads nothing, although Chromium starts a download without a navigation', () => {
  const { webContents } = openTestWindow();
  const navigations: string[] = [];
  for (const event of ['will-navigate', 'will-frame-navigate', 'did-navigate'])
    webContents.on(event, () => navigations.push(event));
  expect(webContents.download()).toBe(true);
  restrictPermissions(session.defaultSession as never);
  expect(webContents.download()).toBe(false);
  expect(navigations).toEqual([]);
});

test('a page that does not respond is logged and reloaded if the user agrees', async () => {
  const window = openTestWindow();
  recorded.response = 0;
  window.emit('unresponsive');
  await expect.poll(() => recorded.messageBoxes).toEqual(['Tieout’s window does not respond']);
  expect(window.webContents.crashes).toBe(0);
  recorded.response = 1;
  window.emit('unresponsive');
  await expect.poll(() => window.webContents.reloads).toBe(1);
  expect(logRecords.filter(({ msg }) => msg === 'The page does not respond.')).toHaveLength(2);
});

test('fields and selected text have a context menu, and the page has none', () => {
  const { webContents } = openTestWindow();
  const editFlags = {
    canUndo: true,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canSelectAll: true,
  };
  const open = (params: object) =>
    webContents.emit('context-menu', {}, { editFlags, selectionText: '', ...params });
  open({ isEditable: false });
  expect(recorded.popups).toEqual([]);
  open({ isEditable: false, selectionText: 'INV-7' });
  open({ isEditable: true });
  const roles = (menu: MenuItemConstructorOptions[]) => menu.flatMap(({ role }) => role ?? []);
  expect(recorded.popups.map(roles)).toEqual([
    ['copy'],
    ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'],
  ]);
  expect(recorded.popups[1]?.find(({ role }) => role === 'redo')?.enabled).toBe(false);
});

const PDF_BYTES = '%PDF-1.7 the very bytes %%EOF';
const pdf = new Blob([PDF_BYTES], { type: 'application/pdf' });

/** Prints a PDF and returns the result and the print window. `prepare` changes the print window before it loads. */
async function print(prepare: (window: BrowserWindow) => void = () => undefined) {
  const shell = connectWindowShell(openTestWindow());
  const windows: BrowserWindow[] = [];
  const onCreated = (_event: unknown, window: BrowserWindow) => {
    windows.push(window);
    prepare(window);
  };
  app.on('browser-window-created', onCreated);
  onTestFinished(() => void app.off('browser-window-created', onCreated));
  const { result } = await shell.print({ name: 'Invoice 7', pdf });
  return { result, window: windows[0], folder: join(options.home, 'window', 'printing') };
}

test('prints after the viewer has loaded the PDF, in a restricted window that is closed afterwards', async () => {
  const { result, window, folder } = await print();
  expect(result).toBe('printed');
  expect(window?.webContents.printed).toEqual(['pdf']);
  expect(window?.calls.at(-1)).toBe('destroy');
  const { webPreferences } = window?.options ?? {};
  expect(webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  expect(webPreferences).not.toHaveProperty('preload');
  expect(readdirSync(folder)).toEqual([]);
  expect(recorded.openedPaths).toEqual([]);
});

test('a canceled print deletes the file and opens nothing', async () => {
  const { result, folder } = await print((window) => {
    window.webContents.printer = { done: false, reason: 'Print job canceled' };
  });
  expect(result).toBe('canceled');
  expect(readdirSync(folder)).toEqual([]);
  expect(recorded.openedPaths).toEqual([]);
});

test('the system’s program opens the same file if it cannot be printed', async () => {
  const { result } = await print((window) => {
    window.webContents.printer = { done: false, reason: 'Invalid printer settings' };
  });
  expect(result).toBe('opened');
  expect(readFileSync(recorded.openedPaths[0] ?? '', 'utf8')).toBe(PDF_BYTES);
  expect(logRecords.at(-1)).toMatchObject({ level: 'warn', msg: 'Printing failed.' });
});

type ShellOfWindow = ReturnType<typeof connectWindowShell>;

/** Saves the pieces of a file as the page does. Returns its path; null if the user canceled. */
async function saveThrough(shell: ShellOfWindow, name: string, pieces: readonly string[]) {
  const { id } = await shell.startSaving({ name });
  if (id === null) return null;
  for (const piece of pieces) await shell.appendToFile({ id, piece: new Blob([piece]) });
  return (await shell.finishSaving({ id })).path;
}

test('saves a file where the user chooses, and nothing if the user cancels', async () => {
  const shell = connectWindowShell(openTestWindow());
  expect(await saveThrough(shell, '../October: report.csv', ['a;b'])).toBeNull();
  expect(recorded.saveDialogs[0]).toMatchObject({
    title: 'Save October_ report.csv',
    defaultPath: expect.stringMatching(/downloads.October_ report\.csv$/) as string,
    filters: [{ name: 'CSV', extensions: ['csv'] }],
  });
  recorded.chosenPath = join(createTemporaryFolder(), 'report.csv');
  expect(await saveThrough(shell, 'report.csv', ['a;', 'b'])).toBe(recorded.chosenPath);
  expect(readFileSync(recorded.chosenPath, 'utf8')).toBe('a;b');
});

test('a file appears only once it is complete, and nothing remains of a discarded file', async () => {
  const shell = connectWindowShell(openTestWindow());
  const folder = createTemporaryFolder();
  recorded.chosenPath = join(folder, 'lines.csv');
  const { id } = await shell.startSaving({ name: 'lines.csv' });
  await shell.appendToFile({ id: id as string, piece: new Blob(['x'.repeat(100_000)]) });
  expect(existsSync(recorded.chosenPath)).toBe(false);
  await shell.discardFile({ id: id as string });
  expect(readdirSync(folder)).toEqual([]);
  await expect(shell.finishSaving({ id: id as string })).rejects.toMatchObject({ code: 'not_found' });
});

test('nothing remains of the files of a page that was reloaded', async () => {
  const opened = openTestWindow();
  const shell = connectWindowShell(opened);
  const folder = createTemporaryFolder();
  recorded.chosenPath = join(folder, 'lines.csv');
  const { id } = await shell.startSaving({ name: 'lines.csv' });
  await shell.appendToFile({ id: id as string, piece: new Blob(['x']) });
  connectWindowShell(opened);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test('a file is not saved into the data directory or a missing folder', async () => {
  const shell = connectWindowShell(openTestWindow());
  recorded.chosenPath = join(options.home, 'books.db');
  await expect(saveThrough(shell, 'a', ['x'])).rejects.toMatchObject({ code: 'storage' });
  expect(existsSync(recorded.chosenPath)).toBe(false);
  recorded.chosenPath = join(options.home, '..', 'no such folder', 'a');
  await expect(saveThrough(shell, 'a', ['x'])).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('could not be written') as string,
  });
});

test('the theme of the app is the theme of system dialogs', async () => {
  const shell = connectWindowShell(openTestWindow());
  await shell.setTheme({ theme: 'light' });
  expect(nativeTheme.themeSource).toBe('light');
});

/** Returns all entries of a menu and its submenus. */
function flattenMenu(menu: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return menu.flatMap((item) => [item, ...flattenMenu((item.submenu ?? []) as MenuItemConstructorOptions[])]);
}

test('the menu shows the page’s commands and runs them in the page', async () => {
  const shell = connectWindowShell(openTestWindow());
  const commands = [
    { id: 'go.settings', title: 'Settings', section: 'Go to', keys: 'G T', enabled: true },
    { id: 'help.palette', title: 'Commands', section: 'Help', keys: 'Mod+K', enabled: true },
    { id: 'view.selectAll', title: 'Select all', section: 'View', keys: 'Mod+A', enabled: false },
  ];
  await shell.setMenu({ commands });
  const items = flattenMenu(recorded.menus.at(-1) ?? []);
  const palette = items.find(({ label }) => label === 'Commands');
  expect(palette).toMatchObject({ accelerator: 'CmdOrCtrl+K', registerAccelerator: false, enabled: true });
  // Ctrl+A belongs to the text field that has the focus.
  const selectAll = items.find(({ label }) => label === 'Select all');
  expect(selectAll).toMatchObject({ enabled: false });
  expect(selectAll).not.toHaveProperty('accelerator');

  const events = await shell.watch({});
  palette?.click?.(...([] as unknown as Parameters<NonNullable<MenuItemConstructorOptions['click']>>));
  expect((await events.next()).value).toEqual({ kind: 'command', id: 'help.palette' });
  await events.return?.();
});

test('the menu has the standard shortcuts, also those that need no Shift', async () => {
  const shell = connectWindowShell(openTestWindow());
  await shell.setMenu({ commands: [] });
  const items = flattenMenu(recorded.menus.at(-1) ?? []);
  const shortcuts = (role: string) =>
    items.filter((item) => item.role === role).map(({ accelerator }) => accelerator);
  expect(shortcuts('close')).toEqual(['CmdOrCtrl+W']);
  expect(shortcuts('zoomIn')).toEqual([undefined, 'CmdOrCtrl+=']);
  expect(items.find(({ accelerator }) => accelerator === 'CmdOrCtrl+,')).toMatchObject({ label: 'Settings' });
  for (const role of ['about', 'help', 'editMenu', 'resetZoom', 'zoomOut'])
    expect(shortcuts(role), role).toHaveLength(1);
});

test('a link that arrives before the page is connected is delivered to it', async () => {
  const shell = connectWindowShell(openTestWindow());
  sendToWindow({ kind: 'link', path: '/demo/statements/12' });
  const events = await shell.watch({});
  expect((await events.next()).value).toEqual({ kind: 'link', path: '/demo/statements/12' });
  await events.return?.();
});

test.each([
  ['darwin', ['recentDocuments', 'clearRecentDocuments']],
  ['win32', []],
  ['linux', []],
] as const)('the File menu lists recent files where the system has such a menu: %s', (platform, expected) => {
  pretendPlatform(platform);
  setAppMenu(options, []);
  const file = (recorded.menus.at(-1) ?? []).filter(({ label }) => label === '&File');
  const roles = flattenMenu(file).flatMap(({ role }) => (/recent/i.test(role ?? '') ? [role] : []));
  expect(roles).toEqual(expected);
});

test('the menu opens a second window, and each event goes to the window used last', async () => {
  const first = openTestWindow();
  const shell = connectWindowShell(first);
  await shell.setMenu({ commands: [] });
  const openWindow = flattenMenu(recorded.menus.at(-1) ?? []).find(({ label }) => label === 'New Window');
  openWindow?.click?.(...([] as unknown as Parameters<NonNullable<MenuItemConstructorOptions['click']>>));
  expect(BrowserWindow.all.size).toBe(2);
  first.emit('focus');
  sendToWindow({ kind: 'link', path: '/demo/sync' });
  const events = await shell.watch({});
  expect((await events.next()).value).toEqual({ kind: 'link', path: '/demo/sync' });
  await events.return?.();
});

test('the page follows the migrations of an update until the backend has started', async () => {
  const shell = connectWindowShell(openTestWindow());
  startProgress.report({ done: 0, total: 3 });
  const events = await shell.watchStart({});
  expect((await events.next()).value).toEqual({ done: 0, total: 3 });
  startProgress.report({ done: 1, total: 3 });
  expect((await events.next()).value).toEqual({ done: 1, total: 3 });
  const next = events.next();
  startProgress.end();
  expect((await next).done).toBe(true);
  const late = await shell.watchStart({});
  expect((await late.next()).done).toBe(true);
});
