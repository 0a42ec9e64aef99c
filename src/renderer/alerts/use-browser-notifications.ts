import { useEffect } from 'react';
import { useBackend, useContractClient } from '../backend-client/backend-hooks.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';
import { showBrowserAlerts } from './show-browser-alerts.ts';

/** Shows the desktop alerts of a site as browser notifications. In Electron, the main process shows them. */
export function useBrowserNotifications(site: string | null): void {
  const client = useContractClient();
  const { changes } = useBackend();
  const isElectron = useWindowShell(({ shell }) => shell !== null);
  useEffect(() => {
    if (site === null || isElectron) return;
    return showBrowserAlerts({ client, changes, site });
  }, [client, changes, site, isElectron]);
}

/** Requests the browser's permission for notifications. Returns false if it is denied. */
export async function requestNotifications(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}
