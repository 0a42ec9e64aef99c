import { app, net } from 'electron';
import type { BackendClient } from '../../contract/index.ts';
import type { LogWriter } from '../../host/index.ts';
import { sendToWindow } from '../app-windows.ts';
import { watchChanges } from '../watch-changes.ts';
import { checkForUpdate, RELEASES_URL } from './update-check.ts';

/** Page to which the notice links. The app never takes this address from a server's response. */
const RELEASES_PAGE = 'https://tieout.app/releases';

/** Interval in milliseconds at which the app checks if a request is due. */
const CHECK_INTERVAL_MS = 60 * 60_000;

interface WatchUpdatesOptions {
  /** Resolves once the backend has started. */
  readonly client: Promise<Pick<BackendClient, 'settings' | 'changes'>>;
  readonly signal: AbortSignal;
  readonly log: LogWriter;
  /** Address to use instead of the project's address, for tests. */
  readonly url?: string | undefined;
}

/**
 * Shows a notice in the last used window if a later version was released. Checks whether a request is due at the start,
 * when the user turns update notices on, and every hour.
 */
export async function watchUpdates(watch: WatchUpdatesOptions): Promise<void> {
  const { signal, log, url = RELEASES_URL } = watch;
  const client = await watch.client;
  const options = {
    client,
    version: app.getVersion(),
    url,
    log,
    signal,
    fetch: (address: string, init: RequestInit) => net.fetch(address, init),
    now: Date.now,
  };
  let checked = Promise.resolve();
  const check = () => {
    // Runs checks one after another, so that concurrent checks do not both send a request.
    checked = checked.then(async () => {
      const version = await checkForUpdate(options);
      if (version !== null) sendToWindow({ kind: 'update', version, url: RELEASES_PAGE });
    });
  };
  check();
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  await watchChanges(client, signal, ({ topics }) => topics.includes('settings') && check());
}
