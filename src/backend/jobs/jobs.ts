import { contractError, type ErrorValue, type Job } from '../../contract/index.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { interruptJobs } from '../store/jobs/job.ts';
import type { JobDefinition } from './job-handle.ts';
import { RunningJob, type RunningJobOptions } from './running-job.ts';

/**
 * Runs long tasks, at most one of each kind per site. Results that are already stored remain if a job fails or is
 * canceled.
 */
export interface Jobs {
  /** Starts a job. Throws `conflict` if a job of this kind is running or another process is working on the site. */
  start(definition: JobDefinition): Job;
  /** Returns a job that runs in this process, or null. */
  findLive(site: string, id: string): Job | null;
  findRunning(site: string, kind?: Job['kind']): Job | null;
  /** Yields a running job after each change, at most ten times a second, including its last state. */
  watch(site: string, id: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined>;
  /**
   * Cancels a job of this process. Resolves when the job has ended. Returns null if the job does not run in this process.
   */
  cancel(site: string, id: string): Promise<Job> | null;
  /** Sends a command to a job of this process. Returns false if the job does not run in this process. */
  sendCommand(site: string, id: string, command: 'pause' | 'resume'): boolean;
  /** Interrupts all jobs so that they can be resumed later, and waits until they have ended. */
  close(): Promise<void>;
}

export interface JobsOptions extends Pick<RunningJobOptions, 'home' | 'changes' | 'unexpected'> {
  locks: SiteLocks;
}

/** Creates the job runner of this process. It must be closed. */
export function createJobs({ locks, ...options }: JobsOptions): Jobs {
  const live = new Map<string, { job: RunningJob; finished: Promise<void> }>();
  const keyOf = (site: string, id: string) => `${site}/${id}`;
  const find = (site: string, id: string) => live.get(keyOf(site, id));
  let closing = false;

  function running(site: string, kind?: Job['kind']): Job | null {
    for (const { job } of live.values()) {
      const { definition } = job;
      if (definition.site === site && (kind === undefined || definition.kind === kind)) return job.snapshot();
    }
    return null;
  }

  /** Returns a running job that must not run at the same time as this one, or null. */
  function findConflictingJob({ site, kind, conflictsWith = [] }: JobDefinition): RunningJob | null {
    for (const { job } of live.values()) {
      const other = job.definition;
      if (other.site === site && (conflictsWith.includes(other.kind) || other.conflictsWith?.includes(kind)))
        return job;
    }
    return null;
  }

  function start(definition: JobDefinition): Job {
    const { site, kind, noun, books } = definition;
    const same = running(site, kind);
    if (same !== null) throw contractError(alreadyRunningError(site, noun, same));
    const other = findConflictingJob(definition);
    if (other !== null) throw contractError(conflictError(site, noun, other));
    const isFirst = running(site) === null;
    const lock = locks.acquire(site, noun);
    if ('conflict' in lock) throw contractError(lock.conflict);

    const job: RunningJob = new RunningJob(definition, {
      ...options,
      isClosing: () => closing,
      onEnd: () => live.delete(keyOf(site, job.id)),
    });
    try {
      // No other process is working on the site, so jobs still marked as running were interrupted by a crash.
      if (isFirst) interruptJobs(books, Date.now());
      job.save();
    } catch (error) {
      lock.release();
      throw error;
    }
    live.set(keyOf(site, job.id), { job, finished: job.run().finally(lock.release) });
    options.changes.emit(site, 'jobs', 'sync');
    return job.snapshot();
  }

  return {
    start,
    findRunning: running,
    findLive: (site, id) => find(site, id)?.job.snapshot() ?? null,
    async *watch(site, id, signal) {
      const found = find(site, id);
      if (found !== undefined) yield* found.job.watch(signal);
    },
    cancel(site, id) {
      const found = find(site, id);
      if (found === undefined) return null;
      found.job.abort();
      return found.finished.then(() => found.job.snapshot());
    },
    sendCommand(site, id, command) {
      const found = find(site, id);
      found?.job.execute(command);
      return found !== undefined;
    },
    async close() {
      closing = true;
      const all = [...live.values()];
      for (const { job } of all) job.abort();
      await Promise.all(all.map(({ finished }) => finished));
    },
  };
}

function conflictError(site: string, what: string, { definition, id }: RunningJob): ErrorValue {
  const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
  return {
    code: 'conflict',
    message: `${capital(what)} of ${site} has to wait: ${definition.noun} is under way.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
    detail: { job: id },
  };
}

function alreadyRunningError(site: string, what: string, job: Job): ErrorValue {
  return {
    code: 'conflict',
    message: `${what[0]?.toUpperCase()}${what.slice(1)} of ${site} is running already.`,
    hint: 'Watch that one, or cancel it first.',
    retryable: true,
    detail: { job: job.id },
  };
}
