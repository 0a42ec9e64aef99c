import { join } from 'node:path';
import type { AllocationDraft, Job, ReplayJob, SyncRun } from '../../contract/index.ts';
import { isLocked } from '../store/lock.ts';
import { isUnderWay } from '../store/replay/replay.ts';

/** The file that stands for a site's lock, in its folder. */
export const lockIn = (folder: string) => join(folder, 'writer.lock');

/** Whether any process works on the site with this folder. */
export function isWorkedOn(folder: string): boolean {
  return isLocked(lockIn(folder));
}

/** A job as it is: one that is written down as running where nobody works on the site was cut off with its process. */
export function asItIs(job: Job, folder: string): Job {
  if (job.state !== 'running' || isWorkedOn(folder)) return job;
  return { ...job, state: 'interrupted', rate: null, remaining_ms: null };
}

/** The same of a replay; one that waits for a person goes on waiting. */
export function replayAsItIs(replay: ReplayJob, folder: string): ReplayJob {
  if (!isUnderWay(replay) || isWorkedOn(folder)) return replay;
  return { ...replay, state: 'interrupted', paused_by: null, live: null };
}

/** The same of a draft that is being sent. */
export function draftAsItIs(draft: AllocationDraft, folder: string): AllocationDraft {
  if (draft.state !== 'running' || isWorkedOn(folder)) return draft;
  return { ...draft, state: 'interrupted' };
}

/** The same of a sync. */
export function runAsItIs(run: SyncRun, folder: string): SyncRun {
  if (run.state !== 'running' || isWorkedOn(folder)) return run;
  return { ...run, state: 'interrupted' };
}
