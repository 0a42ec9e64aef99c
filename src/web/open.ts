import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../host/index.ts';
import { type BrowserSurroundings, openBrowser } from './browser.ts';
import { serveWeb } from './server.ts';

export interface OpenOptions {
  /** Folder of the built window. */
  readonly rendererDir: string;
  readonly port?: number;
  /** False prints the address and opens nothing. */
  readonly open: boolean;
  readonly surroundings: BrowserSurroundings;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
  /** Milliseconds without a connected page after which the window counts as closed. A reload disconnects briefly. */
  readonly idleMs?: number;
}

const ASK_AGAIN_MS = 1000;

/**
 * Serves the app and opens it in the browser. Resolves when the app window was closed and no job is running, or when
 * stopped. The caller closes the host.
 * @throws the error of `listen` if the port is taken
 */
export async function openInBrowser(host: Host, options: OpenOptions): Promise<void> {
  const { rendererDir, port = 0, open, surroundings, say, stop, idleMs = 4000 } = options;
  const [came, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const web = await serveWeb(host, {
    ...{ rendererDir, port, idleMs },
    onPage: came.resolve,
    onIdle: left.resolve,
  });
  const stopped = once(stop);
  try {
    const profile = join(host.home, 'browser');
    const settled = Promise.race([came.promise, stopped]);
    const browser = open ? await openBrowser(web.ticketUrl(), { surroundings, profile, settled }) : null;
    say(
      browser?.as === 'window'
        ? 'Tieout is open in its own window. Press Ctrl-C to stop.'
        : `Tieout is at ${web.url}`,
    );
    if (browser?.as !== 'window') {
      say(
        browser
          ? 'Tieout is open in your browser. Press Ctrl-C to stop.'
          : 'Open this address in a browser. Press Ctrl-C to stop.',
      );
      await stopped;
      return;
    }
    await Promise.race([stopped, left.promise.then(() => jobsDone(host, say, stop))]);
    browser.close();
  } finally {
    await web.close();
  }
}

/** Waits for running jobs after the window was closed. */
async function jobsDone(host: Host, say: (line: string) => void, stop: AbortSignal): Promise<void> {
  let told = false;
  while (!stop.aborted) {
    // A backend that does not answer has no jobs to wait for.
    const jobs = await host.client.jobs.list({ limit: 20 }).catch(() => []);
    const running = jobs.filter(({ state }) => state === 'running');
    if (running.length === 0) return;
    if (!told)
      say(
        `Still running: ${running.map(({ kind }) => kind).join(', ')}. Press Ctrl-C to stop. You can resume later.`,
      );
    told = true;
    await pause(ASK_AGAIN_MS);
  }
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
