import { readFileSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { MessagePortMain as RealMessagePortMain } from 'electron';
import type { Page } from 'playwright-core';
import { createOpenedFiles, type OpenedFiles } from '../../src/main/opening/opened-files.ts';
import { createWindowShell, type WindowShell } from '../../src/main/window-shell.ts';
import { launchChromium } from '../chromium.ts';
import { MessagePortMain } from '../doubles/electron.ts';
import { createPreloadScript, type PortMessage } from '../main/preload-script.ts';
import { type RunningApp, startApp } from './app-window.ts';

export interface ElectronWindow {
  readonly app: RunningApp;
  readonly page: Page;
  /** The window shell of Electron's main process. It sends events to the page. */
  readonly shell: WindowShell;
  readonly files: OpenedFiles;
}

/**
 * Opens the app's page in Chromium as in Electron: with the built preload script, and with the window shell of the main
 * process behind the window's port.
 */
export async function openElectronWindow(visit: (window: ElectronWindow) => Promise<void>): Promise<void> {
  const app = await startApp();
  const browser = await launchChromium();
  const main: { port?: MessagePort } = {};
  try {
    const files = createOpenedFiles();
    const shell = createWindowShell({
      print: () => Promise.resolve('failed'),
      startSaving: () => Promise.resolve(null),
      takeFile: (id) => files.take(id),
      watchStart: async function* () {},
      setTheme: () => undefined,
      setMenu: () => undefined,
    });
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    context.setDefaultTimeout(150_000);
    const { origin, hash } = new URL(app.url);
    const preload = readFileSync(new URL('../../out/preload/index.cjs', import.meta.url), 'utf8');
    const page = await context.newPage();
    // As in Electron, a reload closes the port of the previous page, and the new page gets its own.
    await page.exposeFunction('connectToMain', () => {
      main.port?.close();
      const channel = new MessageChannel();
      const port = channel.port2;
      main.port = port;
      port.on('message', (data: string | Uint8Array) => {
        const message: PortMessage = typeof data === 'string' ? data : [...new Uint8Array(data)];
        if (main.port === port)
          page.evaluate((sent) => window.receiveFromMain?.(sent), message).catch(() => undefined);
      });
      shell.serve(new MessagePortMain(channel.port1) as unknown as RealMessagePortMain);
    });
    await page.exposeFunction('sendToMain', (message: PortMessage) =>
      main.port?.postMessage(typeof message === 'string' ? message : Uint8Array.from(message)),
    );
    await createPreloadScript(preload, hash.replace('#t=', ''))(context);
    await page.goto(origin);
    await visit({ app, page, shell, files });
  } finally {
    main.port?.close();
    await browser.close();
    await app.close();
  }
}
