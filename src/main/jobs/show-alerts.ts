import { Notification } from 'electron';
import {
  type Alert,
  type BackendClient,
  DESKTOP_ALERT_INTERVAL_MS,
  deliverDesktopAlerts,
} from '../../contract/index.ts';
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
/** Time in milliseconds after which a notification counts as shown. Some systems report nothing. Chosen by judgment. */
const MAX_REPORT_MS = 2_000;

/** Shows the desktop alerts of all sites as system notifications until the signal aborts. Retries once per minute. */
export async function showAlerts({ client, signal, showWindow }: ShowAlertsOptions): Promise<void> {
  const connected = await client;
  // A thread may be restarting. The timer retries.
  const show = async (site: string) => {
    if (!Notification.isSupported()) return;
    const deliver = (alert: Alert) => showNotification(alert, showWindow);
    await deliverDesktopAlerts(connected, site, deliver).catch(() => undefined);
  };
  const showAll = async () => {
    const sites = await connected.sites.list({}).catch(() => []);
    for (const { site } of sites) await show(site);
  };
  const timer = setInterval(() => void showAll(), DESKTOP_ALERT_INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  void showAll();
  await watchChanges(connected, signal, ({ site, topics }) => {
    if (site !== null && topics.includes('alerts')) void show(site);
  });
}

/** Shows a notification. Throws if the system reports that it was not shown. */
function showNotification({ title, text }: Alert, showWindow: () => void): Promise<void> {
  const notification = new Notification({ title, body: text });
  notification.on('click', showWindow);
  shown.push(notification);
  if (shown.length > MAX_CLICKABLE) shown.shift();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, MAX_REPORT_MS);
    notification.on('show', () => {
      clearTimeout(timer);
      resolve();
    });
    notification.on('failed', (_event, error) => {
      clearTimeout(timer);
      reject(new Error(error));
    });
    notification.show();
  });
}
