import { join } from 'node:path';
import type { AllocationDraft, Job, ReplayJob, SyncRun } from '../../contract/index.ts';
import { isUnderWay } from '../store/replay/replay.ts';
import { isLocked } from '../store/sqlite/file-lock.ts';

/** Returns the path of a site's lock file. */
export const siteLockPath = (folder: string) => join(folder, 'writer.lock');

/** Returns true if any process is working on the site in this folder. */
export function isSiteLocked(folder: string): boolean {
  return isLocked(siteLockPath(folder));
}

/**
 * Returns a job with its actual state: one marked as running while no process works on the site was interrupted by a
 * crash.
 */
export function actualJobState(job: Job, folder: string): Job {
  if (job.state !== 'running' || isSiteLocked(folder)) return job;
  return { ...job, state: 'interrupted', rate: null, remaining_ms: null };
}

/** Does the same for a replay. A replay that waits for a person stays paused. */
export function actualReplayState(replay: ReplayJob, folder: string): ReplayJob {
  if (!isUnderWay(replay) || isSiteLocked(folder)) return replay;
  return { ...replay, state: 'interrupted', paused_by: null, live: null };
}

/** Does the same for a draft that is being sent. */
export function actualDraftState(draft: AllocationDraft, folder: string): AllocationDraft {
  if (draft.state !== 'running' || isSiteLocked(folder)) return draft;
  return { ...draft, state: 'interrupted' };
}

/** Does the same for a sync. */
export function actualSyncState(run: SyncRun, folder: string): SyncRun {
  if (run.state !== 'running' || isSiteLocked(folder)) return run;
  return { ...run, state: 'interrupted' };
}
