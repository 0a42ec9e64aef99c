import type { Outputs } from '../../contract/contract.ts';
import type { ErrorValue } from '../../contract/errors.ts';
import type { Job } from '../../contract/jobs.ts';
import { ago, minute } from '../output/figures.ts';
import { lineText } from '../progress.ts';

type Status = Outputs['sync']['status'];

/** How a site's copy stands, and what to do next; `job` is the sync that runs. */
export function standing(
  { running, last, complete, parts, site }: Status,
  job: Job | null = null,
  now = Date.now(),
): string {
  const again = `tieout sync --site ${site}`;
  if (running !== null) {
    const far = job === null ? '' : lineText(job);
    return `A sync is running${far === '' ? '' : `: ${far}`}. It goes on by itself; look again with: tieout status`;
  }
  if (last === null) return `Not synced yet. Fetch it with: ${again}`;
  if (last.state === 'cancelled' || last.state === 'interrupted') {
    const how = last.state === 'cancelled' ? 'was cancelled' : 'was cut off';
    if (complete) return `Complete. The last sync ${how}; look for what is new with: ${again}`;
    return `Not complete: the last sync ${how} before its end. Go on where it stopped with: ${again}`;
  }
  if (!last.ok) {
    const why = last.error?.message ?? 'it was interrupted.';
    const kept = complete ? ' What was held before it is here as it was.' : '';
    return `The last sync did not succeed: ${why}${kept} ${remedy(site, again, last.at, last.error)}`;
  }
  if (complete) return whole(parts, again, now);
  return parts.some(({ part, problems }) => part !== 'pdf' && problems > 0)
    ? `Not complete: the service failed on what is named above. Ask for just that again with: ${again}`
    : `Not complete. Go on with: ${again}`;
}

/** What is to be done about a sync that failed. */
function remedy(site: string, again: string, at: string, error: ErrorValue | null): string {
  if (error === null) return `Try again with: ${again}`;
  const { code, hint, retryable, retry_after_ms } = error;
  if (code === 'auth' || code === 'forbidden') {
    return `Replace the key with: tieout site key ${site} , then go on with: ${again}`;
  }
  if (retry_after_ms !== undefined) {
    const from = new Date(Date.parse(at) + retry_after_ms).toISOString();
    return `Try again from ${minute(from)} UTC on with: ${again}`;
  }
  return retryable || hint === undefined
    ? `Try again with: ${again}`
    : `${hint} Then try again with: ${again}`;
}

/** Parts that were last read so much earlier than another are told of. */
const APART_MS = 24 * 3_600_000;

/** All that was asked for is held: what of it could not be read, and what was left out by choice. */
function whole(parts: Status['parts'], again: string, now: number): string {
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf')) {
    return `Complete: everything the service has is held here; what could not be read of it is named above. Look for what is new with: ${again}`;
  }
  if (failed.length > 0) {
    return `Complete, but for the PDFs named above. Ask for them again with: ${again} --only pdf`;
  }
  const since = parts.find((part) => part.since)?.since;
  if (since) {
    return `Complete, but for webhooks from before ${since}: they were left out. Fetch those too with: ${again} --full`;
  }
  const late = behind(parts);
  if (late.length > 0) {
    const which = late.map(({ part, synced_at }) => `${part} ${ago(synced_at, now)}`).join(', ');
    return `Complete as of when each part was last asked for: ${which}. Ask for all of them with: ${again}`;
  }
  return `Complete: everything the service has is held here. Look for what is new with: ${again}`;
}

/** The parts that the latest syncs left out. */
function behind(parts: Status['parts']): Status['parts'] {
  const usual = parts.filter(({ part }) => part !== 'pdf');
  const at = ({ synced_at }: Status['parts'][number]) => Date.parse(synced_at ?? '');
  const newest = Math.max(...usual.map(at));
  return usual.filter((part) => at(part) < newest - APART_MS);
}
