import { join } from 'node:path';
import type { AllocationDraft, Job, ReplayJob, SyncRun } from '../../contract/index.ts';
import { isUnderWay } from '../store/replay/replay.ts';
import { isLocked } from '../store/sqlite/file-lock.ts';

/** Returns the path of a site's lock file. */
export const siteLockPath = (folder: string) => join(folder, 'writer.lock');

/** Returns true if any process is working on the site. */
export function isSiteLocked(folder: string): boolean {
  return isLocked(siteLockPath(folder));
}

/**
 * Returns the job with its actual state: a job marked as running was interrupted by a crash if no process is working on
 * the site.
 */
export function getActualJobState(job: Job, folder: string): Job {
  if (job.state !== 'running' || isSiteLocked(folder)) return job;
  return { ...job, state: 'interrupted', rate: null, remaining_ms: null };
}

/**
 * Returns the replay with its actual state, `interrupted` if its process has crashed. A replay paused by a person stays
 * paused.
 */
export function getActualReplayState(replay: ReplayJob, folder: string): ReplayJob {
  if (!isUnderWay(replay) || isSiteLocked(folder)) return replay;
  return { ...replay, state: 'interrupted', paused_by: null, live: null };
}

/** Returns the draft with its actual state: `interrupted` if the process that was sending it has crashed. */
export function getActualDraftState(draft: AllocationDraft, folder: string): AllocationDraft {
  if (draft.state !== 'running' || isSiteLocked(folder)) return draft;
  return { ...draft, state: 'interrupted' };
}

/** Returns the sync with its actual state: `interrupted` if its process has crashed. */
export function getActualSyncState(run: SyncRun, folder: string): SyncRun {
  if (run.state !== 'running' || isSiteLocked(folder)) return run;
  return { ...run, state: 'interrupted' };
}
