import type { Job } from '../../contract/app/jobs.ts';
import type { Outputs } from '../../contract/contract.ts';
import type { ErrorValue } from '../../contract/shared/errors.ts';
import { formatAge, formatMinute } from '../output/format-values.ts';
import { formatProgress } from '../output/progress-display.ts';

type Status = Outputs['sync']['status'];

/** Formats whether a site's data is complete and what to do next. `job` is the running sync. */
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
    return `Not complete: the last sync was ${how}. Resume it with: ${command}`;
  }
  const reason = last.error?.message ?? 'It was interrupted.';
  const unchanged = complete ? ' Earlier data is unchanged.' : '';
  return `The last sync failed: ${reason}${unchanged} ${formatRemedy(site, command, last.at, last.error)}`;
}

function formatIncomplete(parts: Status['parts'], command: string): string {
  return parts.some(({ part, problems }) => part !== 'pdf' && problems > 0)
    ? `Not complete: the service failed for the records listed above. Retry them with: ${command}`
    : `Not complete. Resume with: ${command}`;
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

/** Minimum delay behind the newest sync for a part to be reported as late, in milliseconds. */
const MAX_SYNC_LAG_MS = 24 * 3_600_000;

/** Formats the status of a complete site, including records that could not be read or were excluded. */
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

/** Returns the parts that were not included in the latest syncs. */
function lateParts(parts: Status['parts']): Status['parts'] {
  const required = parts.filter(({ part }) => part !== 'pdf');
  const syncedAt = ({ synced_at }: Status['parts'][number]) => Date.parse(synced_at ?? '');
  const newest = Math.max(...required.map(syncedAt));
  return required.filter((part) => syncedAt(part) < newest - MAX_SYNC_LAG_MS);
}
