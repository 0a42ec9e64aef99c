import type { ContractOutputs } from '../../contract/index.ts';
import { isOfflineError } from '../errors/error-texts.ts';
import { formatDate, formatDateTime, parseDateTime } from '../texts/date-times.ts';
import { syncTexts } from '../texts/sync.ts';

type SyncStatus = ContractOutputs['sync']['status'];
type LastSync = NonNullable<SyncStatus['last']>;

/** Summary of how complete the data is and what the next sync will do. */
interface SyncSummary {
  readonly tone: 'good' | 'warn' | 'calm';
  readonly title: string;
  readonly nextStep: string;
}

export function summarizeSyncStatus({ last, complete, parts }: SyncStatus): SyncSummary {
  const { summary, next } = syncTexts;
  if (last === null) return { tone: 'calm', title: summary.never, nextStep: next.first };
  const isOffline = isOfflineError(last.error);
  if (complete) {
    // A sync that was canceled or interrupted is not a problem if the data is complete.
    if (last.ok || last.state === 'canceled' || last.state === 'interrupted') return summarizeComplete(parts);
    const nextStep = findRemedy(last) ?? next.complete;
    return isOffline
      ? { tone: 'calm', title: summary.offline, nextStep }
      : { tone: 'warn', title: summary.failedComplete, nextStep };
  }
  const incomplete = { tone: 'warn', nextStep: findNextStep(last) } as const;
  if (isOffline) return { ...incomplete, title: summary.offlineIncomplete };
  if (last.state !== 'done') return { ...incomplete, title: summary[last.state] };
  const hasUnread = parts.some(({ part, problems }) => part !== 'pdf' && problems > 0);
  if (hasUnread) return { tone: 'warn', title: summary.unread, nextStep: next.unread };
  return { ...incomplete, title: summary.incomplete };
}

/** Returns a text that describes how to continue after a sync that did not finish. */
const findNextStep = (last: LastSync) => findRemedy(last) ?? syncTexts.next.resumes;

/** Returns a text that describes what must be done before a sync can succeed, or null if nothing must be done. */
function findRemedy({ at, error }: LastSync): string | null {
  if (error?.code === 'auth' || error?.code === 'forbidden') return syncTexts.next.key;
  if (error?.retry_after_ms === undefined) return null;
  return syncTexts.next.later(
    formatDateTime(new Date((parseDateTime(at) ?? 0) + error.retry_after_ms).toISOString()),
  );
}

/** Maximum time between the last syncs of two parts, chosen by judgment. A longer time is reported. */
const MAX_SYNC_LAG_MS = 24 * 3_600_000;

/** Returns true if recent syncs did not include every part. */
function hasLaggingPart(parts: SyncStatus['parts']): boolean {
  const syncedAt = parts
    .filter(({ part }) => part !== 'pdf')
    .map(({ synced_at }) => parseDateTime(synced_at ?? '') ?? 0);
  return Math.min(...syncedAt) < Math.max(...syncedAt) - MAX_SYNC_LAG_MS;
}

/** Summarizes complete data, including any records that could not be read or were excluded. */
function summarizeComplete(parts: SyncStatus['parts']): SyncSummary {
  const { summary, next } = syncTexts;
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf')) {
    return { tone: 'warn', title: summary.read, nextStep: next.complete };
  }
  if (failed.length > 0) return { tone: 'warn', title: summary.pdfs, nextStep: next.pdfs };
  const since = parts.find((part) => part.since)?.since;
  if (since) return { tone: 'good', title: summary.since(formatDate(since)), nextStep: next.since };
  if (hasLaggingPart(parts)) return { tone: 'calm', title: summary.lagging, nextStep: next.lagging };
  return { tone: 'good', title: summary.complete, nextStep: next.complete };
}
