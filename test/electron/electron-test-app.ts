import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';

/** Script that the main process loads before the app. */
export const HOOKS = fileURLToPath(new URL('./hooks.cjs', import.meta.url));

/** The built app in Electron. */
export interface ElectronTestApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  /** Records content security policy violations, exceptions and logged errors of a page. */
  readonly complaints: readonly string[];
}

/** Creates a home that is deleted after the test. */
export function createTemporaryHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-electron-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** Environment of an app process: the test's own, without an API key. */
export function createAppEnvironment(home: string): Record<string, string> {
  const { TIEOUT_API_KEY: _key, ELECTRON_RUN_AS_NODE: _node, ...env } = process.env;
  const given = Object.entries({ ...env, TIEOUT_HOME: home });
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Starts the app on a home and waits for its window. The app is closed at the end of the test. */
export async function openElectron(
  home = createTemporaryHome(),
  env: Readonly<Record<string, string>> = {},
): Promise<ElectronTestApp> {
  const app = await _electron.launch({
    args: ['--require', HOOKS, appRoot],
    cwd: appRoot,
    env: { ...createAppEnvironment(home), ...env },
    // Without this option, Playwright disables the sandbox, which this test checks.
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

/** Calls of the main process outside the window, and navigations of the page. */
export interface RecordedCalls {
  /** Questions shown to the user. */
  readonly asked: readonly string[];
  /** URLs and files opened with the system. */
  readonly opened: readonly string[];
  /** Pages shown in the window. */
  readonly shown: readonly string[];
  /** Requests that were blocked. */
  readonly refused: readonly string[];
}

/** Answers all questions with `answer` and opens no link from now on, and records both. */
export async function recordMainCalls(
  app: ElectronApplication,
  answer: number,
): Promise<() => Promise<RecordedCalls>> {
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
  return () => app.evaluate(() => Reflect.get(globalThis, 'heard') as RecordedCalls);
}

/** Starts a server that must receive no request. Returns its URL and the requested paths. */
export async function startUnreachedServer(): Promise<{ url: string; asked: readonly string[] }> {
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
