import { interruptDraft, liveDraft } from '../store/allocations/allocation-draft.ts';
import { interruptExports } from '../store/archive/archive-export.ts';
import { interruptJobs, isAnyRunning } from '../store/books/job.ts';
import type { ReadableDb } from '../store/database.ts';
import { interruptReplay, isUnderWay, liveReplay } from '../store/replay/replay.ts';
import { interruptRuns } from '../store/sync/sync-run.ts';
import type { OpenSite } from './stores.ts';

/** Whether work is written down as under way; whether somebody does it, the site's lock tells. */
export function isAnyUnderWay(books: ReadableDb): boolean {
  const replay = liveReplay(books);
  return (
    isAnyRunning(books) || (replay !== null && isUnderWay(replay)) || liveDraft(books)?.state === 'running'
  );
}

/** Writes down as interrupted what a process that is gone left under way. To be called by whoever holds the site's lock. */
export function interruptLeft({ cache, books }: Pick<OpenSite, 'cache' | 'books'>, at: number): void {
  interruptJobs(books, at);
  interruptRuns(cache, at);
  interruptExports(books, at);
  interruptReplay(books, at);
  interruptDraft(books, at);
}
