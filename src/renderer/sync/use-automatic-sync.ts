import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Site } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useServiceError } from '../backend-client/service-availability.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import { type AutoSyncAttempts, findNextSyncTrigger, type NextSyncTrigger } from './next-sync.ts';

const NO_ATTEMPTS: AutoSyncAttempts = { startedAt: 0, failures: 0 };
/** Automatic sync attempts of each site. */
const useSyncAttempts = create<Readonly<Record<string, AutoSyncAttempts>>>(() => ({}));

/** Returns the event that starts a site's next sync, or null until the sync status has loaded. */
export function useNextSyncTrigger(site: string | null): NextSyncTrigger | null {
  const { data: status } = useQuery('sync.status', site === null ? null : { site });
  const automatic = useUserSettings((settings) => settings['sync.automatic']);
  const serviceError = useServiceError(site);
  const attempts = useSyncAttempts((all) => (site === null ? NO_ATTEMPTS : (all[site] ?? NO_ATTEMPTS)));
  return useMemo(
    () => (status === undefined ? null : findNextSyncTrigger(automatic, status, serviceError, attempts)),
    [automatic, status, serviceError, attempts],
  );
}

/** Syncs the selected site automatically if the user has enabled it. A sync by another process takes precedence. */
export function useAutomaticSync(site: Site | null): void {
  const client = useContractClient();
  const name = site?.site ?? null;
  const next = useNextSyncTrigger(name);
  const { data: status } = useQuery('sync.status', name === null ? null : { site: name });
  const last = status?.last ?? null;
  useEffect(() => {
    if (name === null || last === null) return;
    const failures = last.ok ? 0 : (useSyncAttempts.getState()[name]?.failures ?? 0);
    useSyncAttempts.setState((all) => ({ [name]: { startedAt: all[name]?.startedAt ?? 0, failures } }));
  }, [name, last]);
  const at = next?.by === 'clock' ? next.at : null;
  useEffect(() => {
    if (name === null || at === null) return;
    const startSync = () => {
      useSyncAttempts.setState((all) => ({
        [name]: { startedAt: Date.now(), failures: (all[name]?.failures ?? 0) + 1 },
      }));
      client.sync.start({ site: name }).catch(() => {
        // Ignores the error: another attempt follows, and the status of the last sync shows the reason.
      });
    };
    const timer = setTimeout(startSync, Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  }, [client, name, at]);
}
