import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppHost } from '../host/index.ts';
import { type BrowserEnvironment, openBrowser } from './open-browser.ts';
import { serveWeb, type WebServer } from './web-server.ts';

export interface OpenInBrowserOptions {
  /** Folder with the built window. */
  readonly rendererDir: string;
  readonly port?: number;
  /** False to print the address without opening a browser. */
  readonly open: boolean;
  readonly browserEnvironment: BrowserEnvironment;
  readonly printLine: (line: string) => void;
  /** Aborts when the user presses Ctrl-C. */
  readonly stopSignal: AbortSignal;
  /** Milliseconds without a connected page after which the app's window counts as closed. Longer than a reload. */
  readonly idleMs?: number;
  /** Milliseconds without a connected page after which a host without its own window ends. */
  readonly unusedMs?: number;
}

/**
 * Milliseconds without a connected page after which the browser host ends, so that no unused token stays valid. Chosen
 * by judgment.
 */
const UNUSED_MS = 60 * 60_000;
const MAX_POLL_INTERVAL_MS = 1000;

/**
 * Serves the app and opens it in the browser. Resolves when stopped, or when no job is running and the app window has
 * been closed or the address has not been used for an hour. The caller must close the host. @throws the error of
 * `listen` if the port is in use
 */
export async function openInBrowser(host: AppHost, options: OpenInBrowserOptions): Promise<void> {
  const { rendererDir, port = 0, open, browserEnvironment, printLine, stopSignal } = options;
  const { idleMs = 4000, unusedMs = UNUSED_MS } = options;
  const pageConnected = Promise.withResolvers<void>();
  const web = await serveWeb(host, { rendererDir, port, onPage: pageConnected.resolve });
  const stopped = waitForAbort(stopSignal);
  try {
    const profile = join(host.home, 'browser');
    const settled = Promise.race([pageConnected.promise, stopped]);
    const browser = open
      ? await openBrowser(web.ticketUrl(), { environment: browserEnvironment, profile, settled })
      : null;
    if (browser?.as !== 'window') {
      printLine(`Tieout is at ${web.url}`);
      const state = browser ? 'Tieout is open in your browser' : 'Open this address in a browser';
      printLine(`${state}. Press Ctrl-C to stop.`);
      return await waitUntilUnused(host, web, { unusedMs, printLine, stopSignal });
    }
    printLine('Tieout is open in its own window. Press Ctrl-C to stop.');
    await Promise.race([stopped, pageConnected.promise]);
    await waitUntilIdle(host, web, { idleMs, printLine, stopSignal });
    browser.close();
  } finally {
    await web.close();
  }
}

interface WaitOptions {
  readonly printLine: (line: string) => void;
  readonly stopSignal: AbortSignal;
}

/** Resolves when stopped, or when the address has been unused for an hour and no job is running. Prints the reason. */
export async function waitUntilUnused(
  host: AppHost,
  web: Pick<WebServer, 'idleMs'>,
  { unusedMs = UNUSED_MS, ...wait }: WaitOptions & { readonly unusedMs?: number },
): Promise<void> {
  await waitUntilIdle(host, web, { ...wait, idleMs: unusedMs });
  if (wait.stopSignal.aborted) return;
  wait.printLine(
    'Tieout has ended, because its window was not open for an hour. Start it again to continue.',
  );
}

/** Resolves when stopped, or when no page has been connected for this many milliseconds and no job is running. */
async function waitUntilIdle(
  host: AppHost,
  web: Pick<WebServer, 'idleMs'>,
  { idleMs, printLine, stopSignal }: WaitOptions & { readonly idleMs: number },
): Promise<void> {
  let hasPrinted = false;
  while (!stopSignal.aborted) {
    const interval = Math.min(idleMs, MAX_POLL_INTERVAL_MS);
    await pause(interval, undefined, { signal: stopSignal }).catch(() => undefined);
    if (web.idleMs() < idleMs) continue;
    // If the backend does not respond, there are no jobs to wait for.
    const jobs = await host.client.jobs.list({ limit: 20 }).catch(() => []);
    const running = jobs.filter(({ state }) => state === 'running');
    if (running.length === 0) return;
    const kinds = running.map(({ kind }) => kind).join(', ');
    if (!hasPrinted) printLine(`Still running: ${kinds}. Press Ctrl-C to stop. You can resume later.`);
    hasPrinted = true;
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
