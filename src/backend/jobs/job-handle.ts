import type { ErrorValue, Job, JobProgress } from '../../contract/index.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/** Object through which a running job reports progress and receives commands. */
export interface JobHandle {
  readonly id: string;
  readonly site: string;
  /** Signal that aborts when the job is canceled or the backend closes. */
  readonly signal: AbortSignal;
  /** Updates the progress of one part of the job. Parts are shown in the order of their first update. */
  progress(part: string, values: Partial<Omit<JobProgress, 'part'>>): void;
  /** Sets the job's state to paused or running. */
  setPaused(isPaused: boolean): void;
  /** Registers a listener for pause and resume commands from any process. */
  onCommand(listener: (command: 'pause' | 'resume') => void): void;
}

export interface JobDefinition {
  site: string;
  kind: Job['kind'];
  /** Noun for the job in conflict messages, for example `a sync`. */
  noun: string;
  /** Books of the site, in which the job is saved. */
  books: WritableDb;
  /** Names of the job's parts, if known. The remaining time is only estimated after all of them have started. */
  parts?: readonly string[];
  /** Kinds of jobs that must not run on the site at the same time in this process. */
  conflictsWith?: readonly Job['kind'][];
  /** Id of the stored job to resume. */
  id?: string;
  /** Runs the job. Returns a one-sentence summary of the result. */
  run(job: JobHandle): Promise<string>;
  /** Called with the final state when the job has ended, before its watchers are notified. */
  ended?(state: Job['state'], error: ErrorValue | null): void;
}
