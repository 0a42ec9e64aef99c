import type { ErrorValue, Job, Progress } from '../../contract/index.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';

/** Job handle: reports the progress of a job and receives its commands. */
export interface JobHandle {
  readonly id: string;
  readonly site: string;
  /** Aborted when the job is canceled or the backend closes. */
  readonly signal: AbortSignal;
  /** Sets the progress of a part. Parts are shown in the order in which they are first set. */
  progress(part: string, known: Partial<Omit<Progress, 'part'>>): void;
  /** Shows the job as paused or as running. */
  paused(is: boolean): void;
  /** Registers a callback for pause and resume requests of this or another process. */
  onWish(hear: (wish: 'pause' | 'resume') => void): void;
}

export interface JobDefinition {
  site: string;
  kind: Job['kind'];
  /** Noun for conflict messages, for example `a sync`. */
  what: string;
  /** The site's books.db. */
  books: WritableDb;
  /** The parts of the work if known in advance. The remaining time is estimated only after all of them have started. */
  parts?: readonly string[];
  /** Kinds of jobs of this process that must not run on the site at the same time. Jobs of other processes never do. */
  without?: readonly Job['kind'][];
  /** Id of the stored job to resume. */
  id?: string;
  /** Does the work. Returns a sentence about the result. */
  run(job: JobHandle): Promise<string>;
  /** Receives how the job ended, before watchers do. */
  ended?(state: Job['state'], error: ErrorValue | null): void;
}
