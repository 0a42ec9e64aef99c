import { randomBytes } from 'node:crypto';
import type { ErrorValue, Job } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { type StoredJob, saveJob } from '../store/jobs/job.ts';
import { type ChangeEvents, sleep } from './change-events.ts';
import { toErrorValue } from './error-value.ts';
import { consumeJobCommand, type JobCommand } from './job-commands.ts';
import type { JobDefinition, JobHandle } from './job-handle.ts';
import { ProgressRate } from './progress-rate.ts';

/** Minimum interval between progress events, in milliseconds. */
const EVENT_INTERVAL_MS = 100;
const SAVE_INTERVAL_MS = 1000;

export interface RunningJobOptions {
  home: string;
  changes: ChangeEvents;
  /** Logs an unexpected error that occurred while `doing`. Returns the id of the log entry. */
  unexpected: (error: unknown, doing: string) => string;
  /** Returns true while the backend is closing. Jobs aborted by closing are interrupted, not canceled. */
  isClosing(): boolean;
  /** Called when the job has ended, before its watchers receive the final state. */
  onEnd(): void;
}

/** Job that runs in this process, with its state, commands and watchers. */
export class RunningJob {
  readonly definition: JobDefinition;
  readonly #options: RunningJobOptions;
  readonly #job: StoredJob;
  readonly #control = new AbortController();
  /** Aborts when the job has ended. */
  readonly #over = new AbortController();
  readonly #watchers = new Set<() => void>();
  readonly #commandListeners: ((command: 'pause' | 'resume') => void)[] = [];
  /** Time of the latest periodic save, in milliseconds of the monotonic clock. */
  #savedAt = 0;

  constructor(definition: JobDefinition, options: RunningJobOptions) {
    this.definition = definition;
    this.#options = options;
    this.#job = {
      id: definition.id ?? newJobId(),
      kind: definition.kind,
      state: 'running',
      started_at: Date.now(),
      ended_at: null,
      progress: [],
      rate: null,
      remaining_ms: null,
      summary: null,
      error: null,
    };
  }

  get id(): string {
    return this.#job.id;
  }

  /** Returns a copy of the job's current state. */
  snapshot(): Job {
    const job = this.#job;
    return {
      ...job,
      site: this.definition.site,
      started_at: formatTimestamp(job.started_at),
      ended_at: formatTimestamp(job.ended_at),
      progress: job.progress.map((part) => ({ ...part })),
    };
  }

  /** Saves the job's state. Throws if the write fails. */
  save(): void {
    saveJob(this.definition.books, this.#job);
  }

  abort(): void {
    this.#control.abort();
  }

  execute(command: JobCommand): void {
    if (command === 'cancel') this.#control.abort();
    else for (const listener of this.#commandListeners) listener(command);
  }

  /** Runs the job and saves its final state. Does not reject if the job's work fails. */
  async run(): Promise<void> {
    const { home, changes, onEnd } = this.#options;
    const { site } = this.definition;
    const timer = this.#startTimer();
    try {
      // Lets the caller continue first, so that it receives the job's id before the work starts.
      await Promise.resolve();
      this.#job.summary = await this.definition.run(this.#handle());
      this.#job.state = 'done';
    } catch (error) {
      this.#fail(error);
    } finally {
      clearInterval(timer);
    }
    Object.assign(this.#job, { ended_at: Date.now(), remaining_ms: null });
    this.#reportEnd();
    this.#trySave();
    // Deletes a late command, so that it does not affect the job after a resume.
    consumeJobCommand(home, site, this.id);
    onEnd();
    this.#over.abort();
    this.#notifyWatchers();
    changes.emit(site, 'jobs', 'sync');
  }

  /** Yields the job after each change, at most ten times per second, including its final state. */
  async *watch(signal?: AbortSignal): AsyncGenerator<Job, void, undefined> {
    let isNew = true;
    let wake = () => {};
    const onChange = () => {
      isNew = true;
      wake();
    };
    // Reports the end of a job without delay.
    const delaySignal =
      signal === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, signal]);
    this.#watchers.add(onChange);
    signal?.addEventListener('abort', onChange);
    try {
      while (!signal?.aborted) {
        if (!isNew) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        isNew = false;
        const job = this.snapshot();
        yield job;
        if (job.ended_at !== null) return;
        await sleep(EVENT_INTERVAL_MS, delaySignal);
      }
    } finally {
      this.#watchers.delete(onChange);
      signal?.removeEventListener('abort', onChange);
    }
  }

  /** Starts a timer that polls for commands of other processes and saves the job's progress and speed. */
  #startTimer(): NodeJS.Timeout {
    const { home } = this.#options;
    const { site, parts = [] } = this.definition;
    const job = this.#job;
    const progressRate = new ProgressRate();
    return setInterval(() => {
      const command = consumeJobCommand(home, site, job.id);
      if (command !== null) this.execute(command);
      const now = performance.now();
      progressRate.record(now, job.progress);
      job.rate = progressRate.rate();
      const haveAllBegun = parts.every((part) => job.progress.some((begun) => begun.part === part));
      job.remaining_ms = haveAllBegun ? progressRate.remainingMs(job.progress) : null;
      if (now - this.#savedAt < SAVE_INTERVAL_MS) return;
      this.#savedAt = now;
      this.#trySave();
    }, SAVE_INTERVAL_MS / 2);
  }

  #handle(): JobHandle {
    const job = this.#job;
    return {
      id: job.id,
      site: this.definition.site,
      signal: this.#control.signal,
      progress: (part, known) => {
        const at = job.progress.findIndex((each) => each.part === part);
        const before = job.progress[at] ?? { part, done: 0, total: null, failed: 0, current: null };
        job.progress.splice(at < 0 ? job.progress.length : at, 1, { ...before, ...known });
        this.#notifyWatchers();
      },
      setPaused: (is) => {
        job.state = is ? 'paused' : 'running';
        this.#trySave();
        this.#notifyWatchers();
        this.#options.changes.emit(this.definition.site, 'jobs');
      },
      onCommand: (listener) => void this.#commandListeners.push(listener),
    };
  }

  #fail(error: unknown): void {
    if (this.#control.signal.aborted) {
      this.#job.state = this.#options.isClosing() ? 'interrupted' : 'canceled';
      return;
    }
    this.#job.state = 'failed';
    this.#job.error = this.#errorValue(error);
  }

  #errorValue(error: unknown): ErrorValue {
    const failure = toErrorValue(error);
    if (failure.code !== 'internal') return failure;
    const log = this.#options.unexpected(error, `${this.definition.noun} of ${this.definition.site}`);
    return { ...failure, hint: `See log entry ${log}.`, detail: { log } };
  }

  #reportEnd(): void {
    try {
      this.definition.ended?.(this.#job.state, this.#job.error);
    } catch (error) {
      this.#options.unexpected(error, `ending the job ${this.id}`);
    }
  }

  /** Saves the job's state. Failures are only logged, so that a full disk does not end a job with stored results. */
  #trySave(): void {
    try {
      this.save();
    } catch (error) {
      this.#options.unexpected(error, `saving the job ${this.id}`);
    }
  }

  #notifyWatchers(): void {
    for (const notify of this.#watchers) notify();
  }
}

/** Returns a new job id. Ids sort by time. */
function newJobId(): string {
  return `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}
