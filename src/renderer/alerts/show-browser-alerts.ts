import { type BackendClient, DESKTOP_ALERT_INTERVAL_MS, deliverDesktopAlerts } from '../../contract/index.ts';
import type { ChangeFeed } from '../backend-client/change-feed.ts';

interface BrowserAlertsOptions {
  readonly client: Pick<BackendClient, 'alerts'>;
  readonly changes: ChangeFeed;
  readonly site: string;
}

/**
 * Shows the desktop alerts of a site as browser notifications, now and after each change, and retries once per minute. Without
 * permission they stay pending. Returns a function that ends it.
 */
export function showBrowserAlerts({ client, changes, site }: BrowserAlertsOptions): () => void {
  const show = () => {
    if (!areNotificationsAllowed()) return;
    // A backend that is restarting takes no alert. The timer retries.
    void deliverDesktopAlerts(client, site, async ({ id, title, text }) => {
      new Notification(title, { body: text, tag: `tieout-${site}-${id}` });
    }).catch(() => undefined);
  };
  const unsubscribe = changes.subscribe((change) => {
    if (change === 'everything' || (change.site === site && change.topics.includes('alerts'))) show();
  });
  const timer = setInterval(show, DESKTOP_ALERT_INTERVAL_MS);
  show();
  return () => {
    unsubscribe();
    clearInterval(timer);
  };
}

const areNotificationsAllowed = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted';
