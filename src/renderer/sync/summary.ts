import type { Outputs } from '../../contract/index.ts';
import { isOffline } from '../errors/errorWords.ts';
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
  const unread = parts.some(({ problems }) => problems > 0);
  if (complete) {
    const now = last.ok ? summary.complete : away ? summary.away : summary.failedComplete;
    const tone = last.ok ? 'good' : away ? 'calm' : 'warn';
    // A cancelled sync that had nothing left to bring has lost nothing.
    if (last.state === 'cancelled' || last.state === 'interrupted') {
      return { tone: 'good', now: summary.complete, next: next.complete };
    }
    return { tone, now, next: unread ? next.unread : next.complete };
  }
  const incomplete = { tone: 'warn', next: next.goesOn } as const;
  if (away) return { ...incomplete, now: summary.awayIncomplete };
  if (last.state !== 'done') return { ...incomplete, now: summary[last.state] };
  if (unread) return { tone: 'warn', now: summary.unread, next: next.unread };
  return { ...incomplete, now: summary.incomplete };
}
