import { CloudOff, KeyRound, type LucideIcon, RefreshCw, TriangleAlert, Wifi } from 'lucide-react';
import type { ContractOutputs, ErrorValue, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { useServiceError } from '../backend-client/service-availability.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { useCurrentTime } from '../controls/formatted-values.tsx';
import { isOfflineError } from '../errors/error-texts.ts';
import { formatDateTimeWithSeconds, formatTimeAgo, parseDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';

type LastSync = ContractOutputs['sync']['status']['last'];

type SyncStatusTone = 'busy' | 'bad' | 'away' | 'fresh';

/** Shows the age of the local data and the state of the connection, for example `Synced 14 min ago, offline`. */
export function SyncStatusLine({ site }: { readonly site: Site }) {
  const { data: status } = useQuery('sync.status', { site: site.site });
  const serviceError = useServiceError(site.site);
  const error = serviceError ?? syncFailure(status?.last ?? null);
  const now = useCurrentTime(20_000);
  const syncedAt = status === undefined ? site.last_synced_at : status.synced_at;
  const syncedMs = syncedAt === null ? null : parseDateTime(syncedAt);
  const ago = syncedMs === null ? null : formatTimeAgo(syncedMs, now);
  const lacksKey = !site.has_key && !site.demo;
  const [tone, Icon, text] =
    lacksKey && !status?.running
      ? (['bad', KeyRound, texts.frame.keyMissing] as const)
      : describeSyncStatus(status, error, ago);
  return (
    <div className={`sync-status sync-status-${tone}`}>
      <Icon className="sync-status-icon" size={14} aria-hidden="true" />
      <span role="status" title={syncedAt === null ? undefined : formatDateTimeWithSeconds(syncedAt)}>
        {text}
      </span>
      {!status?.running && (
        <CommandButton id={lacksKey ? 'site.replaceKey' : 'sync.start'} kind="quiet" size="small" iconOnly />
      )}
    </div>
  );
}

function describeSyncStatus(
  status: ContractOutputs['sync']['status'] | undefined,
  error: ErrorValue | null,
  ago: string | null,
): readonly [SyncStatusTone, LucideIcon, string] {
  const text = texts.frame;
  const hasStarted = Boolean(status?.last);
  if (status?.running) return ['busy', RefreshCw, text.syncing];
  if (error?.code === 'auth') return ['bad', KeyRound, text.keyRefused];
  if (isOfflineError(error)) {
    const neverSynced = hasStarted ? text.incompleteOffline : text.neverSyncedOffline;
    return ['away', CloudOff, ago ? text.syncedOffline(ago) : neverSynced];
  }
  if (error) return ['bad', TriangleAlert, text.problemState];
  if (ago === null) return ['fresh', Wifi, hasStarted ? text.incomplete : text.neverSynced];
  if (status && !status.complete) return ['bad', TriangleAlert, text.partlySynced(ago)];
  return ['fresh', Wifi, text.synced(ago)];
}

/** Returns the error of the last sync. Cancellation and an unreachable service do not count as errors. */
function syncFailure(last: LastSync): ErrorValue | null {
  if (!last || last.ok || isOfflineError(last.error) || last.error?.code === 'canceled') return null;
  return last.error;
}
