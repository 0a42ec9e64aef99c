import type { Outputs } from '../../contract/index.ts';
import { isOffline } from '../errors/errorWords.ts';
import { dateText } from '../words/moments.ts';
import { syncWords } from '../words/sync.ts';

type SyncState = Outputs['sync']['status'];

/** Whether what is held is the whole, why not, and what the next sync does about it. */
export interface InBrief {
  readonly tone: 'good' | 'warn' | 'calm';
  readonly now: string;
  readonly next: string;
}

export function inBrief({ last, complete, parts }: SyncState): InBrief {
  const { summary, next } = syncWords;
  if (last === null) return { tone: 'calm', now: summary.never, next: next.first };
  const away = isOffline(last.error);
  if (complete) {
    // A cancelled sync that had nothing left to bring has lost nothing.
    if (last.ok || last.state === 'cancelled' || last.state === 'interrupted') return whole(parts);
    const [tone, now] = away
      ? (['calm', summary.away] as const)
      : (['warn', summary.failedComplete] as const);
    return { tone, now, next: next.complete };
  }
  const incomplete = { tone: 'warn', next: next.goesOn } as const;
  if (away) return { ...incomplete, now: summary.awayIncomplete };
  if (last.state !== 'done') return { ...incomplete, now: summary[last.state] };
  const unread = parts.some(({ part, problems }) => part !== 'pdf' && problems > 0);
  if (unread) return { tone: 'warn', now: summary.unread, next: next.unread };
  return { ...incomplete, now: summary.incomplete };
}

/** All that was asked for is held: what of it could not be read, and what was left out by choice. */
function whole(parts: SyncState['parts']): InBrief {
  const { summary, next } = syncWords;
  const failed = parts.filter(({ problems }) => problems > 0);
  if (failed.some(({ part }) => part !== 'pdf'))
    return { tone: 'warn', now: summary.read, next: next.complete };
  if (failed.length > 0) return { tone: 'warn', now: summary.pdfs, next: next.pdfs };
  const since = parts.find((part) => part.since)?.since;
  if (since) return { tone: 'good', now: summary.since(dateText(since)), next: next.since };
  return { tone: 'good', now: summary.complete, next: next.complete };
}
