import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { Site } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useServiceError } from '../backend-client/service-availability.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import { findNextSyncTrigger, type NextSyncTrigger } from './next-sync.ts';

/** What was begun here by itself, by site. */
interface SyncAttempts {
  readonly tried: number;
  readonly failures: number;
}
const NO_ATTEMPTS: SyncAttempts = { tried: 0, failures: 0 };
const useSyncAttempts = create<Readonly<Record<string, SyncAttempts>>>(() => ({}));

/** What makes the next sync of a site begin; null while that is not known. */
export function useNextSyncTrigger(site: string | null): NextSyncTrigger | null {
  const { data: status } = useQuery('sync.status', site === null ? null : { site });
  const automatic = useUserSettings((settings) => settings['sync.automatic']);
  const reach = useServiceError(site);
  const tries = useSyncAttempts((all) => (site === null ? NO_ATTEMPTS : (all[site] ?? NO_ATTEMPTS)));
  return useMemo(
    () => (status === undefined ? null : findNextSyncTrigger(automatic, status, reach, tries)),
    [automatic, status, reach, tries],
  );
}

/** Syncs the site in front by itself, where the user wants that. Another window or process that is quicker is not disturbed. */
export function useAutomaticSync(site: Site | null): void {
  const client = useContractClient();
  const name = site?.site ?? null;
  const next = useNextSyncTrigger(name);
  const { data: status } = useQuery('sync.status', name === null ? null : { site: name });
  const last = status?.last ?? null;
  useEffect(() => {
    if (name === null || last === null) return;
    const failures = last.ok ? 0 : (useSyncAttempts.getState()[name]?.failures ?? 0);
    useSyncAttempts.setState((all) => ({ [name]: { tried: all[name]?.tried ?? 0, failures } }));
  }, [name, last]);
  const at = next?.by === 'clock' ? next.at : null;
  useEffect(() => {
    if (name === null || at === null) return;
    const begin = () => {
      useSyncAttempts.setState((all) => ({
        [name]: { tried: Date.now(), failures: (all[name]?.failures ?? 0) + 1 },
      }));
      client.sync.start({ site: name }).catch(() => {
        // Whatever is in the way, it is tried again later; the state of the last sync tells why.
      });
    };
    const timer = setTimeout(begin, Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  }, [client, name, at]);
}
