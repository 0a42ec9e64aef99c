import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type AppHost, startHost } from '../../src/host/index.ts';
import { serveWeb } from '../../src/web/index.ts';
import { launchChromium } from '../chromium.ts';
import { copySyncedDemo } from './synced-demo.ts';

const root = new URL('../../', import.meta.url);

const builtFile = (name: string) => new URL(`out/main/${name}.js`, root);

/** The built app with the real host, threads and browser host in its own home. */
export interface RunningApp {
  readonly host: AppHost;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the app in `home`. Without `home`, starts it in a copy of the synced demo, or empty if `demo` is false. A new
 * `home` has the demo before its first sync.
 */
export async function startApp({
  home,
  demo = true,
}: {
  home?: string;
  demo?: boolean;
} = {}): Promise<RunningApp> {
  const folder = home ?? realpathSync(mkdtempSync(join(tmpdir(), 'tieout-e2e-')));
  if (demo && !home) copySyncedDemo(folder);
  const host = await startHost({
    home: folder,
    version: '0.1.0',
    entries: { reader: builtFile('reader'), writer: builtFile('writer') },
    sandboxEntry: builtFile('sandbox'),
  });
  if (demo) await host.demo?.open();
  const web = await serveWeb(host, { rendererDir: fileURLToPath(new URL('out/renderer', root)) });
  return {
    host,
    url: web.url,
    async close() {
      await web.close();
      await host.close();
      if (!home) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface OpenWindow {
  readonly app: RunningApp;
  readonly page: Page;
  /** Records content security policy violations, exceptions and logged errors of a page. */
  readonly pageErrors: string[];
}

export interface WindowOptions extends BrowserContextOptions {
  readonly home?: string;
  readonly demo?: boolean;
}

/**
 * Starts the app and opens it in Chromium (by default 1280 by 800, US English, New York). If the test fails, saves a
 * screenshot in `out/e2e`.
 */
export async function openAppWindow(
  { home, demo, ...options }: WindowOptions,
  visit: (window: OpenWindow) => Promise<void>,
) {
  const app = await startApp({ ...(home && { home }), demo: demo ?? true });
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
      ...options,
    });
    // Tests cannot operate the browser’s save dialog. Without it, the page downloads files.
    await context.addInitScript(() => delete window.showSaveFilePicker);
    // A complete first sync may take long on a busy machine.
    context.setDefaultTimeout(150_000);
    const page = await context.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text());
    });
    await page.goto(app.url);
    try {
      await visit({ app, page, pageErrors });
    } catch (error) {
      await page.screenshot({ path: fileURLToPath(new URL('out/e2e/failed.png', root)) });
      throw error;
    }
  } finally {
    await browser.close();
    await app.close();
  }
}
