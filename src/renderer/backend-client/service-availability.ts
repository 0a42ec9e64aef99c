import { useEffect } from 'react';
import { create } from 'zustand';
import { type BackendClient, type ErrorValue, type Site, toContractError } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { parseDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { useBackend, useConnectionState, useQuery } from './backend-hooks.ts';

/** Result of the latest probe of a site's service. `error` is null if the service responded. */
interface ServiceProbe {
  /** Time at which the probe was sent, in UTC milliseconds. */
  readonly at: number;
  readonly error: ErrorValue | null;
}
type ProbesBySite = Readonly<Record<string, ServiceProbe>>;
const useProbes = create<ProbesBySite>(() => ({}));

/** Adds a probe result unless a later one is known. A probe may time out after a later one has succeeded. */
export function addProbeIfNewer(known: ProbesBySite, site: string, probe: ServiceProbe): ProbesBySite {
  return (known[site]?.at ?? 0) > probe.at ? known : { ...known, [site]: probe };
}

/** Time between two probes in milliseconds while the service responds. Chosen by judgment. */
const ONLINE_PROBE_INTERVAL_MS = 5 * 60_000;
/** Time between two probes in milliseconds while the service is unreachable. Chosen by judgment. */
const OFFLINE_PROBE_INTERVAL_MS = 30_000;

/** Sends a small read request to check whether the service responds. */
export async function probeService(client: BackendClient, site: string): Promise<void> {
  const at = Date.now();
  const error = await client.sites.test({ site }).then(() => null, toContractError);
  if (error?.code === 'disconnected' || error?.code === 'canceled') return;
  useProbes.setState((known) => addProbeIfNewer(known, site, { at, error }));
}

/** Probes the selected site's service immediately, on network status changes, and at regular intervals. */
export function useServiceProbing(site: Site | null): void {
  const client = useBackend().connection.client;
  const open = useConnectionState().phase === 'open';
  const name = site?.site ?? null;
  const error = useProbes((all) => (name === null ? null : (all[name]?.error ?? null)));
  const intervalMs = isOfflineError(error) ? OFFLINE_PROBE_INTERVAL_MS : ONLINE_PROBE_INTERVAL_MS;
  useEffect(() => {
    if (!name || !open) return;
    const probe = () => void probeService(client, name);
    if (!useProbes.getState()[name]) probe();
    const timer = setInterval(probe, intervalMs);
    window.addEventListener('online', probe);
    window.addEventListener('offline', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', probe);
      window.removeEventListener('offline', probe);
    };
  }, [client, name, open, intervalMs]);
}

/** Returns the latest error from the site's service, or null if the service responded last. */
export function useServiceError(site: string | null): ErrorValue | null {
  const probed = useProbes((all) => (site === null ? undefined : all[site]));
  const { data: status } = useQuery('sync.status', site === null ? null : { site });
  const lastSync = status?.last;
  const lastSyncAt = lastSync ? (parseDateTime(lastSync.at) ?? 0) : -1;
  if (probed && probed.at >= lastSyncAt) return probed.error;
  return lastSync && !lastSync.ok && lastSync.error?.code !== 'canceled' ? lastSync.error : null;
}

/** Returns a sentence that explains why the site's service is unavailable, or null if it is available. */
export function useUnavailableReason(site: Site | null): string | null {
  const phase = useConnectionState().phase;
  const error = useServiceError(site?.site ?? null);
  if (!site) return texts.frame.noSite;
  if (phase !== 'open') return texts.frame.disconnected;
  return isOfflineError(error) ? texts.frame.offlineReason(site.title) : null;
}
