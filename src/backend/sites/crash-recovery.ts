import {
  findActiveAllocationDraft,
  interruptAllocationDraft,
} from '../store/allocations/allocation-draft.ts';
import { interruptArchiveExports } from '../store/archive/archive-export.ts';
import { interruptJobs, isAnyJobRunning } from '../store/jobs/job.ts';
import { findActiveReplay, interruptReplay, isReplayInProgress } from '../store/replay/replay.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { interruptSyncRuns } from '../store/sync/sync-run.ts';
import type { OpenSite } from './open-site.ts';

/** Repairs one kind of data that a crashed process left unfinished. `now` is UTC milliseconds. */
export type RecoveryStep = (site: Pick<OpenSite, 'cache' | 'books' | 'folder'>, now: number) => void;

/** Recovery steps to run when a site's databases are opened, in this order. */
export interface RecoverySteps {
  /** Recovery steps that also run while another process is working on the site. */
  readonly always: readonly RecoveryStep[];
  /** Recovery steps that require the site's lock. */
  readonly exclusive: readonly RecoveryStep[];
}

/** Returns true if any work is marked as running. Only the site's lock shows if a process is really doing that work. */
export function hasRunningWork(books: ReadableDb): boolean {
  const replay = findActiveReplay(books);
  return (
    isAnyJobRunning(books) ||
    (replay !== null && isReplayInProgress(replay)) ||
    findActiveAllocationDraft(books)?.state === 'running'
  );
}

/** Marks the work of a crashed process as interrupted. The caller must hold the site's lock. */
export function interruptCrashedWork({ cache, books }: Pick<OpenSite, 'cache' | 'books'>, at: number): void {
  interruptJobs(books, at);
  interruptSyncRuns(cache, at);
  interruptArchiveExports(books, at);
  interruptReplay(books, at);
  interruptAllocationDraft(books, at);
}
