import { useEffect } from 'react';
import { create } from 'zustand';
import { type Client, type ErrorValue, errorOf, type Site } from '../../contract/index.ts';
import { useBackend, useConnectionState, useQuery } from '../backend/hooks.ts';
import { isOffline } from '../errors/error-words.ts';
import { instantOf } from '../words/moments.ts';
import { words } from '../words/words.ts';

/** What the last question to each site's service told of it: null where it answered. */
interface Reach {
  readonly at: number;
  readonly error: ErrorValue | null;
}
type Known = Readonly<Record<string, Reach>>;
const useReach = create<Known>(() => ({}));

/** With the news of a site, unless what is known was asked later: one that waits in vain is answered behind one that does not. */
export function heard(known: Known, site: string, news: Reach): Known {
  return (known[site]?.at ?? 0) > news.at ? known : { ...known, [site]: news };
}

/** Between two questions whose only purpose is to know whether the service answers. */
const EVERY_MS = 5 * 60_000;
const AGAIN_MS = 30_000;

/** Asks the service one small question, to know whether it answers. Nothing is changed by it. */
export async function probe(client: Client, site: string): Promise<void> {
  const asked = Date.now();
  const error = await client.sites.test({ site }).then(() => null, errorOf);
  if (error?.code === 'disconnected' || error?.code === 'cancelled') return;
  useReach.setState((known) => heard(known, site, { at: asked, error }));
}

/** Keeps knowing whether the site in front can be reached: on opening it, when the network comes back, now and then. */
export function useProbing(site: Site | null): void {
  const client = useBackend().connection.client;
  const open = useConnectionState().phase === 'open';
  const name = site?.site ?? null;
  const error = useReach((all) => (name === null ? null : (all[name]?.error ?? null)));
  const pause = isOffline(error) ? AGAIN_MS : EVERY_MS;
  useEffect(() => {
    if (!name || !open) return;
    const ask = () => void probe(client, name);
    if (!useReach.getState()[name]) ask();
    const timer = setInterval(ask, pause);
    window.addEventListener('online', ask);
    window.addEventListener('offline', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
      window.removeEventListener('offline', ask);
    };
  }, [client, name, open, pause]);
}

/** The latest news of the site's service, be it from a sync or from a question of ours. */
export function useReachOf(site: string | null): ErrorValue | null {
  const asked = useReach((all) => (site === null ? undefined : all[site]));
  const { data: status } = useQuery('sync.status', site === null ? null : { site });
  const tried = status?.last;
  const triedAt = tried ? (instantOf(tried.at) ?? 0) : -1;
  if (asked && asked.at >= triedAt) return asked.error;
  return tried && !tried.ok && tried.error?.code !== 'cancelled' ? tried.error : null;
}

/** Why the site's service cannot be asked now; null where it can. */
export function useAway(site: Site | null): string | null {
  const phase = useConnectionState().phase;
  const error = useReachOf(site?.site ?? null);
  if (!site) return words.frame.noSite;
  if (phase !== 'open') return words.frame.lost;
  return isOffline(error) ? words.frame.offlineReason(site.title) : null;
}
