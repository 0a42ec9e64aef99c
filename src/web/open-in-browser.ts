import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppHost } from '../host/index.ts';
import { type BrowserEnvironment, openBrowser } from './open-browser.ts';
import { serveWeb } from './web-server.ts';

export interface OpenInBrowserOptions {
  /** Folder of the built window. */
  readonly rendererDir: string;
  readonly port?: number;
  /** False to print the address without opening a browser. */
  readonly open: boolean;
  readonly browserEnvironment: BrowserEnvironment;
  readonly printLine: (line: string) => void;
  /** Signal that aborts when the user presses Ctrl-C. */
  readonly stopSignal: AbortSignal;
  /** Milliseconds without a connected page after which the window counts as closed. Longer than a reload. */
  readonly idleMs?: number;
}

const JOB_POLL_INTERVAL_MS = 1000;

/**
 * Serves the app and opens it in the browser. Resolves when the app window has been closed and no job is running, or when
 * stopped. The caller must close the host.
 * @throws the error of `listen` if the port is in use
 */
export async function openInBrowser(host: AppHost, options: OpenInBrowserOptions): Promise<void> {
  const { rendererDir, port = 0, open, browserEnvironment, printLine, stopSignal, idleMs = 4000 } = options;
  const [pageConnected, pageLeft] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const web = await serveWeb(host, {
    ...{ rendererDir, port, idleMs },
    onPage: pageConnected.resolve,
    onIdle: pageLeft.resolve,
  });
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
      return await stopped;
    }
    printLine('Tieout is open in its own window. Press Ctrl-C to stop.');
    await Promise.race([stopped, pageLeft.promise.then(() => waitForJobs(host, printLine, stopSignal))]);
    browser.close();
  } finally {
    await web.close();
  }
}

/** Waits for running jobs after the window has been closed. */
async function waitForJobs(
  host: AppHost,
  printLine: (line: string) => void,
  stopSignal: AbortSignal,
): Promise<void> {
  let hasPrinted = false;
  while (!stopSignal.aborted) {
    // If the backend does not answer, there are no jobs to wait for.
    const jobs = await host.client.jobs.list({ limit: 20 }).catch(() => []);
    const running = jobs.filter(({ state }) => state === 'running');
    if (running.length === 0) return;
    const kinds = running.map(({ kind }) => kind).join(', ');
    if (!hasPrinted) printLine(`Still running: ${kinds}. Press Ctrl-C to stop. You can resume later.`);
    hasPrinted = true;
    await pause(JOB_POLL_INTERVAL_MS);
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
