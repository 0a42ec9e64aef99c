import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { createOneTimeFiles } from '../../src/host/one-time-files.ts';
import { showWindow } from '../../src/main/app-window.ts';
import { BrowserWindow, recorded, session } from '../doubles/electron.ts';
import { createTemporaryFolder } from '../host/test-host.ts';

let options: Parameters<typeof showWindow>[0];
let logRecords: LogRecord[];

beforeEach(() => {
  BrowserWindow.all.clear();
  for (const list of [
    recorded.openedLinks,
    recorded.messageBoxes,
    recorded.messageBoxDetails,
    recorded.openedPaths,
  ])
    list.length = 0;
  logRecords = [];
  const home = createTemporaryFolder();
  options = { home, blobs: createOneTimeFiles(home), log: (record) => void logRecords.push(record) };
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
  expect(logRecords.map(({ level }) => level)).toEqual(['info', 'error', 'error', 'error', 'error']);
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

test('prints in a separate restricted window that is closed afterwards', async () => {
  const window = openTestWindow();
  writeFileSync(join(options.home, 'a.pdf'), '%PDF-');
  const { blob } = options.blobs.offer({ path: 'a.pdf', name: 'a.pdf', type: 'application/pdf' });
  const seen: BrowserWindow[] = [];
  const print = BrowserWindow.prototype.loadFile;
  BrowserWindow.prototype.loadFile = async function (path) {
    seen.push(this);
    await print.call(this, path);
  };
  try {
    requestWindow(window, `app://tieout/print/${blob}`);
    await expect.poll(() => seen[0]?.calls.at(-1)).toBe('destroy');
  } finally {
    BrowserWindow.prototype.loadFile = print;
  }
  expect(BrowserWindow.getAllWindows()).toEqual([window]);
  expect(seen[0]?.calls[0]).toMatch(/^load .*printing.*\.pdf$/);
  const { webPreferences } = seen[0]?.options ?? {};
  expect(webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  expect(webPreferences).not.toHaveProperty('preload');
  const printSession = session.fromPartition(webPreferences?.partition ?? '');
  expect([printSession.request, printSession.check]).not.toContain(null);
  expect({
    opened: recorded.openedLinks,
    asked: recorded.messageBoxes,
    started: recorded.openedPaths,
  }).toEqual({
    opened: [],
    asked: [],
    started: [],
  });
});
