import { once } from 'node:events';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, clipboard } from 'electron';
import {
  collectVersions,
  type LauncherMessage,
  type SelfCheck,
  type StartTimes,
  startHost,
} from '../host/index.ts';
import { APP_ORIGIN } from './app-origin.ts';
import { openPrintWindow } from './print-window.ts';
import { reportConnected } from './report-connected.ts';
import { type CheckWindow, runSelfCheck } from './self-check.ts';
import { servePages } from './serve-pages.ts';
import { createStartProgress } from './start-progress.ts';
import { createWindowOptions } from './window-options.ts';
import { createWindowShell } from './window-shell.ts';

/** Time limit for all checks together in milliseconds. Chosen by judgment. */
const TIMEOUT_MS = 20_000;
/** Time limit for ending the backend after the checks in milliseconds. Chosen by judgment. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Runs the self-check in a hidden window, prints its report as one line of JSON, and ends the app. Exit code 0 means
 * that all checks passed. `home` is a temporary data directory, which is deleted.
 */
export async function checkApp(home: string): Promise<void> {
  const ready = startHost({ home, version: app.getVersion() });
  const window = openHiddenWindow();
  const times = createStartTimes();
  window.once('ready-to-show', () => times.record('first_paint_ms'));
  const shell = createWindowShell({
    print: () => Promise.resolve('failed'),
    async startSaving() {
      const path = join(home, 'saved.pdf');
      return {
        append: async (piece) => appendFileSync(path, piece),
        finish: async () => path,
        discard: async () => rmSync(path, { force: true }),
      };
    },
    takeFile: () => Promise.resolve(new Uint8Array()),
    setTheme: () => undefined,
    setMenu: () => undefined,
    watchStart: () => createStartProgress().watch(),
  });
  servePages({
    ready,
    log: () => undefined,
    findShell: (id) => (id === window.webContents.id ? shell : null),
    onConnected() {
      times.record('connected_ms');
      reportConnected();
    },
  });
  const clipboardText = clipboard.readText();
  const report = await runSelfCheck({
    home,
    ready,
    versions: collectVersions(app.getVersion()),
    startTimes: times.read,
    window: createCheckWindow(window),
    async printToPdf(path) {
      const printWindow = openPrintWindow();
      return await printWindow.printToPdf(path).finally(() => printWindow.close());
    },
    readClipboard: () => clipboard.readText(),
    timeoutMs: TIMEOUT_MS,
  });
  await clipboard.writeText(await clipboardText);
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(report)}\n`, () => resolve()));
  if (!report.ok) process.send?.('failed' satisfies LauncherMessage);
  const closed = ready.then((host) => host.close()).catch(() => undefined);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))]);
  rmSync(home, { recursive: true, force: true });
  app.exit(report.ok ? 0 : 1);
}

/** Records start times in milliseconds since the start of the process. Only the first event of each kind counts. */
function createStartTimes() {
  const startedAt = process.getCreationTime();
  const times: Record<keyof StartTimes, number | null> = { connected_ms: null, first_paint_ms: null };
  return {
    record(name: keyof StartTimes): void {
      if (startedAt !== null) times[name] ??= Math.round(Date.now() - startedAt);
    },
    read: (): StartTimes => ({ ...times }),
  };
}

function openHiddenWindow(): BrowserWindow {
  const preload = fileURLToPath(new URL('../preload/index.cjs', import.meta.url));
  return new BrowserWindow(
    createWindowOptions({ preload, icon: '', packaged: true, dark: false, position: null }),
  );
}

function createCheckWindow(window: BrowserWindow): CheckWindow {
  const { webContents } = window;
  return {
    async runPageChecks(blobId) {
      await window.loadURL(`${APP_ORIGIN}/self-check.html#${blobId}`);
      // Writing to the clipboard requires the focus and a user gesture.
      webContents.focus();
      return (await webContents.executeJavaScript('window.pageChecks', true)) as readonly SelfCheck[];
    },
    async killPage() {
      const gone = once(webContents, 'render-process-gone');
      webContents.forcefullyCrashRenderer();
      await gone;
    },
  };
}
