import type { Job } from '../../contract/app/jobs.ts';
import type { SyncRun } from '../../contract/app/sync.ts';
import type { ContractOutputs } from '../../contract/contract.ts';
import type { ErrorValue } from '../../contract/shared/errors.ts';
import { describeMissingData, describeStoredData } from '../../domain/labels/sync.ts';
import {
  formatAge,
  formatBytes,
  formatDay,
  formatDuration,
  formatMinute,
  formatNumber,
} from '../output/format-values.ts';
import { formatProgress } from '../output/progress-display.ts';
import { createCountColumn, type TableColumn } from '../output/table.ts';

type Status = ContractOutputs['sync']['status'];
type StoredParts = Pick<Status, 'parts' | 'complete' | 'set_aside'>;

const formats = { formatCount: formatNumber, formatDay };

/** Formats a site's missing data in one line, or null if nothing is missing. Ignores PDFs, which are optional. */
export const formatMissingData = (status: StoredParts): string | null => describeMissingData(status, formats);

/** Formats notes about the stored data, for example a damaged cache or records that the service no longer has. */
export const formatStoredDataNotes = (status: StoredParts): string[] => describeStoredData(status, formats);

/** Formats what other Tieout processes on this computer do on a site, one line per process. */
export function formatOtherTieoutProcesses({
  other_process: other,
  scheduled,
  running,
}: Pick<Status, 'other_process' | 'scheduled' | 'running'>): string[] {
  const lines = [];
  if (other) {
    const wait = running === null ? 'A sync can start once that process has finished.' : '';
    lines.push(
      `Another Tieout process (${other.pid}) is working on this site: ${other.activity}, since ${formatMinute(other.started_at)} UTC.${wait}`,
    );
  }
  if (scheduled) {
    const { every_minutes, next_at, pid } = scheduled;
    const next = next_at === null ? '' : ` Next sync: ${formatMinute(next_at)} UTC.`;
    lines.push(
      `Another Tieout process (${pid}) syncs this site every ${every_minutes} min (sync --watch).${next}`,
    );
  }
  return lines;
}

const formatProblem = ({ error, problems }: SyncRun) => error?.message ?? problems[0]?.location;

/** Table columns for past syncs: their results, and their requests versus the theoretical minimum. */
export const syncRunColumns: TableColumn<SyncRun>[] = [
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'result', cell: formatResult },
  { header: 'duration', cell: formatRunDuration, align: 'right' },
  createCountColumn('requests', ({ requests }) => requests.total),
  createCountColumn('minimum', ({ state, requests }) => (state === 'running' ? null : requests.minimum)),
  createCountColumn('new or changed', ({ rows }) =>
    Object.values(rows).reduce((sum, count) => sum + count, 0),
  ),
  { header: 'received', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { header: 'problem', cell: formatProblem, minWidth: 20, isOptional: true },
];

function formatResult({ state, complete }: SyncRun): string {
  if (state !== 'done') return state;
  return complete ? 'complete' : 'not complete';
}

/** Formats the duration of a sync. Returns an empty string for an interrupted sync, because its end is unknown. */
function formatRunDuration({ state, ended_at, seconds }: SyncRun): string {
  return ended_at === null && state !== 'running' ? '' : formatDuration(seconds * 1000);
}

/** Formats the completeness of a site's data and the recommended next action. `job` is the running sync. */
export function formatSyncStatus(
  { running, last, complete, parts, site }: Status,
  job: Job | null = null,
  now = Date.now(),
): string {
  const command = `tieout sync --site ${site}`;
  if (running !== null) {
    const progress = job === null ? '' : formatProgress(job);
    return `A sync is running${progress === '' ? '' : `: ${progress}`}. Check again with: tieout status`;
  }
  if (last === null) return `Not synced yet. Download the data with: ${command}`;
  if (last.state !== 'canceled' && last.state !== 'interrupted' && last.ok) {
    return complete ? formatComplete(parts, command, now) : formatIncomplete(parts, command);
  }
  return formatFailedSync({ last, complete, site }, command);
}

/** Formats the status of a site whose last sync failed, was canceled or was interrupted. */
function formatFailedSync(
  { last, complete, site }: Pick<Status, 'complete' | 'site'> & { last: NonNullable<Status['last']> },
  command: string,
): string {
  if (last.state === 'canceled' || last.state === 'interrupted') {
    const how = last.state === 'canceled' ? 'canceled' : 'interrupted';
    if (complete) return `Complete. The last sync was ${how}. Check for new data with: ${command}`;
    return `Incomplete: the last sync was ${how}. Resume it with: ${command}`;
  }
  const reason = last.error?.message ?? 'The sync was interrupted.';
  const unchanged = complete ? ' Earlier data is unchanged.' : '';
  return `The last sync failed: ${reason}${unchanged} ${formatRemedy(site, command, last.at, last.error)}`;
}

function formatIncomplete(parts: Status['parts'], command: string): string {
  return parts.some(({ part, problems }) => part !== 'pdf' && problems > 0)
    ? `Incomplete: the service failed for the records listed above. Retry them with: ${command}`
    : `Incomplete. Resume with: ${command}`;
}

/** Formats the recommended action after a failed sync. */
function formatRemedy(site: string, command: string, failedAt: string, error: ErrorValue | null): string {
  if (error === null) return `Try again with: ${command}`;
  const { code, hint, retryable, retry_after_ms } = error;
  if (code === 'auth' || code === 'forbidden') {
    return `Replace the key with: tieout site key ${site} , then resume with: ${command}`;
  }
  if (retry_after_ms !== undefined) {
    const retryAt = new Date(Date.parse(failedAt) + retry_after_ms).toISOString();
    return `After ${formatMinute(retryAt)} UTC, try again with: ${command}`;
  }
  return retryable || hint === undefined
    ? `Try again with: ${command}`
    : `${hint} Then try again with: ${command}`;
}

/** Time in milliseconds by which a part may trail the newest sync before it is reported as late. Chosen by judgment. */
const MAX_SYNC_LAG_MS = 24 * 3_600_000;

/** Formats the status of a completely synced site. Mentions unreadable and excluded records. */
function formatComplete(parts: Status['parts'], command: string, now: number): string {
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf')) {
    return `Complete, except for the unreadable records listed above. Check for new data with: ${command}`;
  }
  if (failed.length > 0) {
    return `Complete, except for the PDFs listed above. Retry them with: ${command} --only pdf`;
  }
  const since = parts.find((part) => part.since)?.since;
  if (since) {
    return `Complete, except for webhooks created before ${since}, which were excluded. Download them with: ${command} --full`;
  }
  const late = lateParts(parts);
  if (late.length > 0) {
    const ages = late.map(({ part, synced_at }) => `${part} ${formatAge(synced_at, now)}`).join(', ');
    return `Complete as of each part's last sync: ${ages}. Sync all parts with: ${command}`;
  }
  return `Complete. Check for new data with: ${command}`;
}

/** Returns the required parts that the latest syncs did not include. */
function lateParts(parts: Status['parts']): Status['parts'] {
  const required = parts.filter(({ part }) => part !== 'pdf');
  const syncedAt = ({ synced_at }: Status['parts'][number]) => Date.parse(synced_at ?? '');
  const newest = Math.max(...required.map(syncedAt));
  return required.filter((part) => syncedAt(part) < newest - MAX_SYNC_LAG_MS);
}
