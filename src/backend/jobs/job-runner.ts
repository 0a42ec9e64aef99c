import { createContractError, type ErrorValue, type Job } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { interruptJobs } from '../store/jobs/job.ts';
import type { JobDefinition } from './job-handle.ts';
import { RunningJob, type RunningJobOptions } from './running-job.ts';

export interface JobRunnerOptions extends Pick<RunningJobOptions, 'home' | 'changes' | 'unexpected'> {
  locks: SiteLocks;
}

/** Runs long tasks, at most one of each kind per site. Results stored before a failure or cancellation remain. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  /** Jobs that run in this process, by site and id. */
  readonly #live = new Map<string, { job: RunningJob; finished: Promise<void> }>();
  #isClosing = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** Starts a job. Throws `conflict` if a job of this kind is running or another process is working on the site. */
  start(definition: JobDefinition): Job {
    const { site, kind, noun, books } = definition;
    const same = this.findRunning(site, kind);
    if (same !== null) throw createContractError(alreadyRunningError(site, noun, same));
    const other = this.#findConflictingJob(definition);
    if (other !== null) throw createContractError(conflictError(site, noun, other));
    const isFirst = this.findRunning(site) === null;
    const lock = this.#options.locks.acquire(site, noun);
    if ('conflict' in lock) throw createContractError(lock.conflict);

    const job: RunningJob = new RunningJob(definition, {
      ...this.#options,
      isClosing: () => this.#isClosing,
      onEnd: () => this.#live.delete(getLiveKey(site, job.id)),
    });
    try {
      // No other process is working on the site, so every job still marked as running was interrupted by a crash.
      if (isFirst) interruptJobs(books, Date.now());
      job.save();
    } catch (error) {
      lock.release();
      throw error;
    }
    this.#live.set(getLiveKey(site, job.id), { job, finished: job.run().finally(lock.release) });
    this.#options.changes.emit(site, 'jobs', 'sync');
    return job.snapshot();
  }

  /** Returns a job that runs in this process, or null. */
  findLive(site: string, id: string): Job | null {
    return this.#find(site, id)?.job.snapshot() ?? null;
  }

  /** Returns a job of the kind, or of any kind, that runs on the site in this process, or null. */
  findRunning(site: string, kind?: Job['kind']): Job | null {
    for (const { job } of this.#live.values()) {
      const { definition } = job;
      if (definition.site === site && (kind === undefined || definition.kind === kind)) return job.snapshot();
    }
    return null;
  }

  /** Yields a running job after each change, at most ten times a second, including its last state. */
  async *watch(site: string, id: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined> {
    const live = this.#find(site, id);
    if (live !== undefined) yield* live.job.watch(signal);
  }

  /** Cancels a job and waits for its end. Returns null if the job does not run in this process. */
  cancel(site: string, id: string): Promise<Job> | null {
    const live = this.#find(site, id);
    if (live === undefined) return null;
    live.job.abort();
    return live.finished.then(() => live.job.snapshot());
  }

  /** Sends a command to a job. Returns false if the job does not run in this process. */
  sendCommand(site: string, id: string, command: 'pause' | 'resume'): boolean {
    const live = this.#find(site, id);
    live?.job.execute(command);
    return live !== undefined;
  }

  /** Interrupts all jobs so that they can be resumed later, and waits until they have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const all = [...this.#live.values()];
    for (const { job } of all) job.abort();
    await Promise.all(all.map(({ finished }) => finished));
  }

  #find(site: string, id: string) {
    return this.#live.get(getLiveKey(site, id));
  }

  /** Returns a running job that conflicts with the given job, or null if there is none. */
  #findConflictingJob({ site, kind, conflictsWith = [] }: JobDefinition): RunningJob | null {
    for (const { job } of this.#live.values()) {
      const other = job.definition;
      if (other.site === site && (conflictsWith.includes(other.kind) || other.conflictsWith?.includes(kind)))
        return job;
    }
    return null;
  }
}

const getLiveKey = (site: string, id: string) => `${site}/${id}`;

function conflictError(site: string, noun: string, other: RunningJob): ErrorValue {
  const message = `${capitalize(noun)} of ${site} has to wait until ${other.definition.noun} has finished.`;
  const hint = 'Wait until it has finished, or cancel it.';
  return { code: 'conflict', message, hint, retryable: true, detail: { job: other.id } };
}

function alreadyRunningError(site: string, noun: string, job: Job): ErrorValue {
  const message = `${capitalize(noun)} of ${site} is already running.`;
  const hint = 'Wait until that job has finished, or cancel it first.';
  return { code: 'conflict', message, hint, retryable: true, detail: { job: job.id } };
}
