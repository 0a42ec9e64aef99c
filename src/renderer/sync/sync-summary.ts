import type { Outputs } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { formatDate, formatDateTime, parseInstant } from '../texts/moments.ts';
import { syncTexts } from '../texts/sync.ts';

type SyncState = Outputs['sync']['status'];
type Last = NonNullable<SyncState['last']>;

/** Whether what is held is the whole, why not, and what the next sync does about it. */
export interface SyncSummary {
  readonly tone: 'good' | 'warn' | 'calm';
  readonly now: string;
  readonly next: string;
}

export function summarizeSync({ last, complete, parts }: SyncState): SyncSummary {
  const { summary, next } = syncTexts;
  if (last === null) return { tone: 'calm', now: summary.never, next: next.first };
  const away = isOfflineError(last.error);
  if (complete) {
    // A canceled sync that had nothing left to bring has lost nothing.
    if (last.ok || last.state === 'canceled' || last.state === 'interrupted') return summarizeComplete(parts);
    const [tone, now] = away
      ? (['calm', summary.away] as const)
      : (['warn', summary.failedComplete] as const);
    return { tone, now, next: findRemedy(last) ?? next.complete };
  }
  const incomplete = { tone: 'warn', next: findNextStep(last) } as const;
  if (away) return { ...incomplete, now: summary.awayIncomplete };
  if (last.state !== 'done') return { ...incomplete, now: summary[last.state] };
  const unread = parts.some(({ part, problems }) => part !== 'pdf' && problems > 0);
  if (unread) return { tone: 'warn', now: summary.unread, next: next.unread };
  return { ...incomplete, now: summary.incomplete };
}

/** What goes on with a sync that did not come to its end. */
const findNextStep = (last: Last) => findRemedy(last) ?? syncTexts.next.goesOn;

/** What is to be done first, where a sync alone does not help, or not at once. */
function findRemedy({ at, error }: Last): string | null {
  if (error?.code === 'auth' || error?.code === 'forbidden') return syncTexts.next.key;
  if (error?.retry_after_ms === undefined) return null;
  return syncTexts.next.later(
    formatDateTime(new Date((parseInstant(at) ?? 0) + error.retry_after_ms).toISOString()),
  );
}

/** Parts that were last read so much earlier than another are told of. */
const MAX_SYNC_LAG_MS = 24 * 3_600_000;

/** Whether the latest syncs left a part out. */
function hasLaggingPart(parts: SyncState['parts']): boolean {
  const at = parts
    .filter(({ part }) => part !== 'pdf')
    .map(({ synced_at }) => parseInstant(synced_at ?? '') ?? 0);
  return Math.min(...at) < Math.max(...at) - MAX_SYNC_LAG_MS;
}

/** All that was asked for is held: what of it could not be read, and what was left out by choice. */
function summarizeComplete(parts: SyncState['parts']): SyncSummary {
  const { summary, next } = syncTexts;
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf'))
    return { tone: 'warn', now: summary.read, next: next.complete };
  if (failed.length > 0) return { tone: 'warn', now: summary.pdfs, next: next.pdfs };
  const since = parts.find((part) => part.since)?.since;
  if (since) return { tone: 'good', now: summary.since(formatDate(since)), next: next.since };
  if (hasLaggingPart(parts)) return { tone: 'calm', now: summary.behind, next: next.behind };
  return { tone: 'good', now: summary.complete, next: next.complete };
}
