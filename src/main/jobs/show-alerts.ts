import { Notification } from 'electron';
import type { Alert, BackendClient } from '../../contract/index.ts';
import { watchChanges } from '../watch-changes.ts';

interface ShowAlertsOptions {
  /** Resolves once the backend has started. */
  readonly client: Promise<Pick<BackendClient, 'alerts' | 'changes' | 'sites'>>;
  /** Ends the observation. */
  readonly signal: AbortSignal;
  /** Brings a window to the front. Called if the user clicks a notification. */
  showWindow(): void;
}

/** Maximum number of notifications that stay clickable. Electron emits no click for one that is garbage-collected. */
const MAX_CLICKABLE = 20;
const shown: Notification[] = [];

/** Shows the desktop alerts of all sites as system notifications until the signal aborts. */
export async function showAlerts({ client, signal, showWindow }: ShowAlertsOptions): Promise<void> {
  const connected = await client;
  const show = async (site: string) => {
    if (!Notification.isSupported()) return;
    for (const alert of await connected.alerts.takeDesktop({ site })) showNotification(alert, showWindow);
  };
  // A thread may be restarting. After the restart, the next sync emits another event.
  const showQuietly = (site: string) => void show(site).catch(() => undefined);
  for (const { site } of await connected.sites.list({})) showQuietly(site);
  await watchChanges(connected, signal, ({ site, topics }) => {
    if (site !== null && topics.includes('alerts')) showQuietly(site);
  });
}

function showNotification({ title, text }: Alert, showWindow: () => void): void {
  const notification = new Notification({ title, body: text });
  notification.on('click', showWindow);
  notification.show();
  shown.push(notification);
  if (shown.length > MAX_CLICKABLE) shown.shift();
}
