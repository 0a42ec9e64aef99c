import { contractError, type ErrorValue, type Job } from '../../contract/index.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { interruptJobs } from '../store/jobs/job.ts';
import type { JobDefinition } from './job-handle.ts';
import { RunningJob, type RunningJobOptions } from './running-job.ts';

/** Runs long tasks, one of a kind at a time per site. Stored results stay, however a job ends. */
export interface Jobs {
  /** Starts a job. Throws `conflict` if one of its kind is running on the site or another process is working on it. */
  start(definition: JobDefinition): Job;
  /** Returns a job running in this process, or null. */
  live(site: string, id: string): Job | null;
  running(site: string, kind?: Job['kind']): Job | null;
  /** Yields a running job after each change, at most ten times a second, including its last state. */
  watch(site: string, id: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined>;
  /** Cancels a job of this process and resolves when it has ended. Returns null if it does not run here. */
  cancel(site: string, id: string): Promise<Job> | null;
  /** Passes a request to a job of this process. Returns false if it does not run here. */
  tell(site: string, id: string, wish: 'pause' | 'resume'): boolean;
  /** Interrupts every job so that it can be resumed, and waits for them. */
  close(): Promise<void>;
}

export interface JobsOptions extends Pick<RunningJobOptions, 'home' | 'changes' | 'unexpected'> {
  locks: SiteLocks;
}

/** Creates the jobs of this process. Must be closed. */
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

  /** Returns a running job of another kind that prevents this one from starting, or null. */
  function conflicting({ site, kind, without = [] }: JobDefinition): RunningJob | null {
    for (const { job } of live.values()) {
      const other = job.definition;
      if (other.site === site && (without.includes(other.kind) || other.without?.includes(kind))) return job;
    }
    return null;
  }

  function start(definition: JobDefinition): Job {
    const { site, kind, what, books } = definition;
    const same = running(site, kind);
    if (same !== null) throw contractError(alreadyRunning(site, what, same));
    const other = conflicting(definition);
    if (other !== null) throw contractError(isWorkedOn(site, what, other));
    const isFirst = running(site) === null;
    const lock = locks.take(site, what);
    if ('conflict' in lock) throw contractError(lock.conflict);

    const job: RunningJob = new RunningJob(definition, {
      ...options,
      isClosing: () => closing,
      onEnd: () => live.delete(keyOf(site, job.id)),
    });
    try {
      // No other process works on the site, so jobs still marked as running were interrupted by a crash.
      if (isFirst) interruptJobs(books, Date.now());
      job.save();
    } catch (error) {
      lock.release();
      throw error;
    }
    live.set(keyOf(site, job.id), { job, finished: job.run().finally(lock.release) });
    options.changes.tell(site, 'jobs', 'sync');
    return job.snapshot();
  }

  return {
    start,
    running,
    live: (site, id) => find(site, id)?.job.snapshot() ?? null,
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
    tell(site, id, command) {
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

function isWorkedOn(site: string, what: string, { definition, id }: RunningJob): ErrorValue {
  const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
  return {
    code: 'conflict',
    message: `${capital(what)} of ${site} has to wait: ${definition.what} is under way.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
    detail: { job: id },
  };
}

function alreadyRunning(site: string, what: string, job: Job): ErrorValue {
  return {
    code: 'conflict',
    message: `${what[0]?.toUpperCase()}${what.slice(1)} of ${site} is running already.`,
    hint: 'Watch that one, or cancel it first.',
    retryable: true,
    detail: { job: job.id },
  };
}
