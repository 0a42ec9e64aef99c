import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** The built app in Electron. */
export interface InElectron {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  /** What a page must not do: break its own policy, throw, or log an error. Each of these, as it comes. */
  readonly complaints: readonly string[];
}

/** A home that goes when the test ends. */
export function temporaryHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-electron-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** What a process of the app is started with: the environment but for a key in it. */
export function environmentOf(home: string): Record<string, string> {
  const { TIEOUT_API_KEY: _key, ELECTRON_RUN_AS_NODE: _node, ...env } = process.env;
  const given = Object.entries({ ...env, TIEOUT_HOME: home });
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Starts the app on a home and waits for its window. It is closed when the test ends, if it has not been. */
export async function openElectron(home = temporaryHome()): Promise<InElectron> {
  const app = await _electron.launch({
    args: [appRoot],
    cwd: appRoot,
    env: environmentOf(home),
    // Without this Playwright takes the sandbox away, which is what is tested here.
    chromiumSandbox: true,
  });
  onTestFinished(() => app.close());
  const page = await app.firstWindow();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.setDefaultTimeout(20_000);
  return { app, page, home, complaints };
}

/** What main was asked to do outside the window, and where the page went. */
export interface Heard {
  /** What people were asked. */
  readonly asked: readonly string[];
  /** What was handed to the system. */
  readonly opened: readonly string[];
  /** The pages that the window came to show. */
  readonly shown: readonly string[];
  /** What was refused before it began. */
  readonly refused: readonly string[];
}

/** From now on no question waits for a person, who always gives this `answer`, and no link leaves; both are kept to be looked at. */
export async function overhear(app: ElectronApplication, answer: number): Promise<() => Promise<Heard>> {
  await app.evaluate(({ BrowserWindow, dialog, shell }, response) => {
    const heard = {
      asked: [] as string[],
      opened: [] as string[],
      shown: [] as string[],
      refused: [] as string[],
    };
    Object.assign(globalThis, { heard });
    Object.assign(dialog, {
      async showMessageBox(...given: unknown[]) {
        heard.asked.push((given.at(-1) as { message: string }).message);
        return { response, checkboxChecked: false };
      },
    });
    Object.assign(shell, {
      async openExternal(url: string) {
        heard.opened.push(url);
      },
    });
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      webContents.on('did-navigate', (_event, url) => heard.shown.push(url));
      webContents.on('will-navigate', (event) => {
        if (event.defaultPrevented) heard.refused.push(event.url);
      });
    }
  }, answer);
  return () => app.evaluate(() => Reflect.get(globalThis, 'heard') as Heard);
}

/** A server that nothing may ask: its address, and the paths it was asked for. */
export async function canary(): Promise<{ url: string; asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
