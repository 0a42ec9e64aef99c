import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import { launchChromium } from '../chromium.ts';

/** A real Chromium and the test page built for it. Close it after the last test of the file. */
export interface TestBrowser {
  /** Folder of the built test page, to be served as the window. */
  readonly rendererDir: string;
  /** Opens an address in its own profile, after `prepare` has configured it. */
  open(url: string, prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Page>;
  close(): Promise<void>;
}

export async function launchTestBrowser(): Promise<TestBrowser> {
  const rendererDir = mkdtempSync(join(tmpdir(), 'tieout-page-'));
  const root = fileURLToPath(new URL('./page', import.meta.url));
  await build({
    root,
    logLevel: 'silent',
    configFile: false,
    build: { outDir: rendererDir, emptyOutDir: true },
  });
  // Electron's ports emit an event when they close. Chromium supports this only behind a flag.
  const browser = await launchChromium(['--enable-blink-features=MessagePortCloseEvent']);
  return {
    rendererDir,
    async open(url, prepare) {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      await prepare?.(context);
      const tab = await context.newPage();
      await tab.goto(url);
      return tab;
    },
    async close() {
      await browser.close();
      rmSync(rendererDir, { recursive: true, force: true });
    },
  };
}
