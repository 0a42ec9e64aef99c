import { useEffect } from 'react';
import type { Alert } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';

/** Number of latest alerts that are searched for pending ones. Chosen by judgment. */
const MAX_ALERTS = 20;

const isPending = ({ deliveries }: Alert) =>
  deliveries.some(({ channel, state }) => channel === 'desktop' && state === 'pending');

/** Shows the pending desktop alerts of a site as browser notifications. In Electron, the main process shows them. */
export function useBrowserNotifications(site: string | null): void {
  const client = useContractClient();
  const isElectron = useWindowShell(({ shell }) => shell !== null);
  const { data: alerts } = useQuery(
    'alerts.list',
    site === null || isElectron ? null : { site, limit: MAX_ALERTS },
  );
  const hasPending = alerts?.some(isPending) ?? false;
  useEffect(() => {
    if (site === null || !hasPending || !areNotificationsAllowed()) return;
    const show = async () => {
      for (const { id, title, text } of await client.alerts.takeDesktop({ site }))
        new Notification(title, { body: text, tag: `tieout-${site}-${id}` });
    };
    // An alert that cannot be taken stays pending and is shown after the next change.
    void show().catch(() => undefined);
  }, [client, site, hasPending]);
}

const areNotificationsAllowed = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted';

/** Requests the browser's permission for notifications. Returns false if it is denied. */
export async function requestNotifications(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}
