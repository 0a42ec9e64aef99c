import { CloudOff, KeyRound, RefreshCw, TriangleAlert, Wifi } from 'lucide-react';
import type { ErrorValue, Outputs, PartStatus, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { useNow } from '../controls/values.tsx';
import { isOffline } from '../errors/error-words.ts';
import { agoText, instantOf, momentSecondsText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { useReachOf } from './reach.ts';

type SyncTry = Outputs['sync']['status']['last'];

/** How old what is on the screen is, and whether newer can be had: `Synced 14 min ago, offline`. */
export function Freshness({ site }: { readonly site: Site }) {
  const { data: status } = useQuery('sync.status', { site: site.site });
  const reach = useReachOf(site.site);
  const error = reach ?? failureOf(status?.last ?? null);
  const now = useNow(20_000);
  const at = status === undefined ? site.last_synced_at : earliest(status.parts);
  const ms = at === null ? null : instantOf(at);
  const offline = isOffline(error);
  const ago = ms === null ? null : agoText(ms, now);
  const begun = status !== undefined && status.last !== null;
  const never = begun ? words.frame.notWhole : words.frame.neverSynced;
  const neverOffline = begun ? words.frame.notWholeOffline : words.frame.neverSyncedOffline;
  const lacks = status !== undefined && !status.complete;
  const [tone, Icon, text] = status?.running
    ? (['busy', RefreshCw, words.frame.syncing] as const)
    : error?.code === 'auth'
      ? (['bad', KeyRound, words.frame.keyRefused] as const)
      : offline
        ? (['away', CloudOff, ago ? words.frame.syncedOffline(ago) : neverOffline] as const)
        : error
          ? (['bad', TriangleAlert, words.frame.problemState] as const)
          : ago === null
            ? (['fresh', Wifi, never] as const)
            : lacks
              ? (['bad', TriangleAlert, words.frame.partlySynced(ago)] as const)
              : (['fresh', Wifi, words.frame.synced(ago)] as const);
  return (
    <div className={`freshness freshness-${tone}`}>
      <Icon className="freshness-icon" size={14} aria-hidden="true" />
      <span role="status" title={at === null ? undefined : momentSecondsText(at)}>
        {text}
      </span>
      {!status?.running && <CommandButton id="sync.start" kind="quiet" size="small" bare />}
    </div>
  );
}

/** Why the last sync failed, where that was not for want of a network: a service that answers again does not undo it. */
function failureOf(last: SyncTry): ErrorValue | null {
  if (!last || last.ok || isOffline(last.error) || last.error?.code === 'cancelled') return null;
  return last.error;
}

/** Up to when all of it is held: since when the part that was longest not read to its end was. Null where one never was. */
function earliest(parts: readonly PartStatus[]): string | null {
  const moments = parts.filter(({ part }) => part !== 'pdf').map(({ synced_at }) => synced_at);
  if (moments.includes(null)) return null;
  const order = (at: string | null) => instantOf(at ?? '') ?? 0;
  return moments.toSorted((a, b) => order(a) - order(b))[0] ?? null;
}
