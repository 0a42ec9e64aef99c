import { EventEmitter } from 'node:events';
import type { IpcMain, WebFrameMain } from 'electron';
import { beforeAll, expect, test } from 'vitest';
import type { LogRecord } from '../../src/host/index.ts';
import { installConnectHandler } from '../../src/main/connect-handler.ts';
import type { WindowShell } from '../../src/main/window-shell.ts';
import {
  app,
  BrowserWindow,
  createConnectEvent,
  createPagePort,
  type MessagePortMain,
} from '../doubles/electron.ts';

beforeAll(() => app.whenReady());

/** Check 7: only the main frame of our own window can reach the backend. */
async function connectFrom(
  from: { url?: string; parent?: WebFrameMain | null; known?: boolean; frame?: null },
  ports = [createPagePort().main, createPagePort().main, createPagePort().main],
) {
  const window = new BrowserWindow({});
  await window.loadURL('app://tieout/');
  const frame =
    from.frame === null ? null : { url: from.url ?? 'app://tieout/', parent: from.parent ?? null };
  const served: string[] = [];
  const logged: LogRecord[] = [];
  const shell: WindowShell = {
    serve: (port) => void served.push(`window:${ports.indexOf(port as unknown as MessagePortMain)}`),
    send: () => undefined,
  };
  const ipcMain = new EventEmitter();
  installConnectHandler(ipcMain as unknown as IpcMain, {
    findShell: (id) => ((from.known ?? true) && id === window.webContents.id ? shell : null),
    async serve(thread, port) {
      served.push(`${thread}:${ports.indexOf(port as unknown as MessagePortMain)}`);
    },
    log: (record) => logged.push(record),
  });
  ipcMain.emit('connect', createConnectEvent(window, ports, frame));
  window.close();
  return { served, logged, ports };
}

test('our own page receives a port to each thread and to its window', async () => {
  const { served, logged } = await connectFrom({});
  expect(served).toEqual(['window:2', 'reader:0', 'writer:1']);
  expect(logged).toEqual([]);
});

const parent = { url: 'app://tieout/', parent: null } as WebFrameMain;

test.each([
  ['a subframe, even at our own address', { parent }],
  ['a statement’s HTML', { url: 'about:srcdoc', parent }],
  ['an unknown webContents', { known: false }],
  ['a foreign page', { url: 'https://evil.test/' }],
  ['a page that resembles ours', { url: 'app://tieout.evil/' }],
  ['a file', { url: 'file:///tmp/x.html' }],
  ['an empty address', { url: '' }],
  ['a frame that is gone', { frame: null }],
])('%s gets no port, its ports are closed, and it is logged', async (_name, from) => {
  const { served, logged, ports } = await connectFrom(from);
  expect(served).toEqual([]);
  await expect.poll(() => ports.every((port) => port.closed)).toBe(true);
  expect(logged).toMatchObject([{ level: 'warn' }]);
});

test('a message without its two ports is refused', async () => {
  const one = createPagePort().main;
  const { served, logged } = await connectFrom({}, [one]);
  expect(served).toEqual([]);
  await expect.poll(() => one.closed).toBe(true);
  expect(logged).toHaveLength(1);
});
