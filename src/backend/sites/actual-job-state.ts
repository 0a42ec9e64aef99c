import { join } from 'node:path';
import type { AllocationDraft, Job, ReplayJob, SyncRun } from '../../contract/index.ts';
import { isReplayInProgress } from '../store/replay/replay.ts';
import { isFileLocked } from '../store/sqlite/file-lock.ts';

export const getSiteLockPath = (folder: string) => join(folder, 'writer.lock');

/** Returns true if any process is working on the site. */
export function isSiteLocked(folder: string): boolean {
  return isFileLocked(getSiteLockPath(folder));
}

/** Returns the job with its actual state: `interrupted` if the job's process has crashed. */
export function getActualJobState(job: Job, folder: string): Job {
  if (job.state !== 'running' || isSiteLocked(folder)) return job;
  return { ...job, state: 'interrupted', rate: null, remaining_ms: null };
}

/** Returns the replay with its actual state: `interrupted` if its process has crashed, unless a user had paused it. */
export function getActualReplayState(replay: ReplayJob, folder: string): ReplayJob {
  if (!isReplayInProgress(replay) || isSiteLocked(folder)) return replay;
  return { ...replay, state: 'interrupted', paused_by: null, live: null };
}

/** Returns a draft or sync run with its actual state: `interrupted` if its process has crashed. */
export function getActualWorkState<Work extends AllocationDraft | SyncRun>(work: Work, folder: string): Work {
  if (work.state !== 'running' || isSiteLocked(folder)) return work;
  return { ...work, state: 'interrupted' };
}
