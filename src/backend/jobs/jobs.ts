import { randomBytes } from 'node:crypto';
import { contractError, type ErrorValue, type Job, type Progress } from '../../contract/index.ts';
import { interruptJobs, type StoredJob, saveJob } from '../store/books/job.ts';
import type { WritableDb } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { type Changes, quiet } from './changes.ts';
import { failureOf } from './failure.ts';
import { createPace } from './rate.ts';
import type { SiteLocks } from './site-lock.ts';
import { hearWish, type Wish } from './wishes.ts';

/** What a job's work is given. */
export interface JobHandle {
  readonly id: string;
  readonly site: string;
  /** Aborted when the job is cancelled or the backend closes. */
  readonly signal: AbortSignal;
  /** Sets what is known of a part of the work; parts show in the order they are first set. */
  progress(part: string, known: Partial<Omit<Progress, 'part'>>): void;
  /** Shows the job as paused, or as running again. */
  paused(is: boolean): void;
  /** Called when this or another process asks for a pause or for going on. */
  onWish(hear: (wish: 'pause' | 'resume') => void): void;
}

export interface Order {
  site: string;
  kind: Job['kind'];
  /** For the message of whoever comes second: `a sync`. */
  what: string;
  /** The site's books.db. */
  books: WritableDb;
  /** The parts its work has, where that is known before; nothing is reckoned of how long it will take until all have begun. */
  parts?: readonly string[];
  /** Kinds of which no job of this process works on the site beside it. Those of other processes never do. */
  without?: readonly Job['kind'][];
  /** Goes on with a job that was kept, under its id. */
  id?: string;
  /** Does the work; gives what it did, in a sentence. */
  run(job: JobHandle): Promise<string>;
  /** Hears how it ended, before watchers do. */
  ended?(state: Job['state'], error: ErrorValue | null): void;
}

/** Long work, one of a kind at a time on a site. What it has stored stays, however it ends. */
export interface Jobs {
  /** Starts a job. Throws `conflict` where one of its kind runs on the site, or another process works on it. */
  start(order: Order): Job;
  /** A job that runs in this process. */
  live(site: string, id: string): Job | null;
  running(site: string, kind?: Job['kind']): Job | null;
  /** A running job after each change, at most ten times a second, its last state included. */
  watch(site: string, id: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined>;
  /** Asks a job of this process to end; settles when it has. Null where it does not run here. */
  cancel(site: string, id: string): Promise<Job> | null;
  /** Tells a job of this process; false where it does not run here. */
  tell(site: string, id: string, wish: 'pause' | 'resume'): boolean;
  /** Ends every job so that it can be gone on with, and waits for them. */
  close(): Promise<void>;
}

interface Live {
  order: Order;
  job: StoredJob;
  control: AbortController;
  /** Aborted when it has ended, however it did. */
  over: AbortController;
  changed: Set<() => void>;
  hear: ((wish: 'pause' | 'resume') => void)[];
  finished: Promise<void>;
}

/** Most often that progress is shown, and that it is written down. */
const SHOWN_MS = 100;
const KEPT_MS = 1000;

export interface JobsOptions {
  home: string;
  locks: SiteLocks;
  changes: Changes;
  /** Hears of a failure that no code of the taxonomy tells; gives the id under which the log has it. */
  unexpected: (error: unknown, doing: string) => string;
}

/** The jobs of this process: starts them, writes down how they end, and tells how they go on. To be closed. */
export function createJobs({ home, locks, changes, unexpected }: JobsOptions): Jobs {
  const live = new Map<string, Live>();
  const keyOf = (site: string, id: string) => `${site}/${id}`;
  let closing = false;

  const shown = ({ order, job }: Live): Job => ({
    ...job,
    site: order.site,
    started_at: isoMoment(job.started_at),
    ended_at: isoMoment(job.ended_at),
    progress: job.progress.map((part) => ({ ...part })),
  });

  function running(site: string, kind?: Job['kind']): Job | null {
    for (const each of live.values()) {
      if (each.order.site === site && (kind === undefined || each.order.kind === kind)) return shown(each);
    }
    return null;
  }

  /** A job beside which another must not begin. */
  function besides({ site, kind, without = [] }: Order): Live | null {
    for (const each of live.values()) {
      const { order } = each;
      if (order.site === site && (without.includes(order.kind) || order.without?.includes(kind))) return each;
    }
    return null;
  }

  function start(order: Order): Job {
    const { site, kind, what, books } = order;
    const same = running(site, kind);
    if (same !== null) throw contractError(alreadyRunning(site, what, same));
    const beside = besides(order);
    if (beside !== null) throw contractError(isWorkedOn(site, what, beside));
    const first = running(site) === null;
    const lock = locks.take(site, what);
    if ('held' in lock) throw contractError(lock.held);

    const job: StoredJob = {
      id: order.id ?? newJobId(),
      kind,
      state: 'running',
      started_at: Date.now(),
      ended_at: null,
      progress: [],
      rate: null,
      remaining_ms: null,
      summary: null,
      error: null,
    };
    try {
      // Nobody works on the site beside this process: what is written down as running was cut off.
      if (first) interruptJobs(books, Date.now());
      saveJob(books, job);
    } catch (error) {
      lock.release();
      throw error;
    }
    const control = new AbortController();
    const each: Live = {
      ...{ order, job, control, over: new AbortController() },
      ...{ changed: new Set(), hear: [], finished: Promise.resolve() },
    };
    live.set(keyOf(site, job.id), each);
    each.finished = work(each).finally(lock.release);
    changes.tell(site, 'jobs', 'sync');
    return shown(each);
  }

  async function work(each: Live): Promise<void> {
    const { order, job, control } = each;
    const pace = createPace();
    let keptAt = 0;
    const told = () => {
      for (const hear of each.changed) hear();
    };
    const tick = setInterval(() => {
      const wished = hearWish(home, order.site, job.id);
      if (wished !== null) grant(each, wished);
      const now = performance.now();
      pace.note(now, job.progress);
      job.rate = pace.rate();
      job.remaining_ms = hasBegunAll(each) ? pace.remaining(job.progress) : null;
      if (now - keptAt < KEPT_MS) return;
      keptAt = now;
      keep(each);
    }, KEPT_MS / 2);

    const handle: JobHandle = {
      id: job.id,
      site: order.site,
      signal: control.signal,
      progress(part, known) {
        const at = job.progress.findIndex((kept) => kept.part === part);
        const before = job.progress[at] ?? { part, done: 0, total: null, failed: 0, current: null };
        job.progress.splice(at < 0 ? job.progress.length : at, 1, { ...before, ...known });
        told();
      },
      paused(is) {
        job.state = is ? 'paused' : 'running';
        keep(each);
        told();
        changes.tell(order.site, 'jobs');
      },
      onWish: (hear) => void each.hear.push(hear),
    };

    let state: Job['state'] = 'done';
    try {
      // The caller gets the job's id before anything else can happen to it.
      await Promise.resolve();
      job.summary = await order.run(handle);
    } catch (error) {
      const aborted = control.signal.aborted;
      state = aborted ? (closing ? 'interrupted' : 'cancelled') : 'failed';
      job.error = aborted ? null : errorFor(error, order);
    } finally {
      clearInterval(tick);
    }
    Object.assign(job, { state, ended_at: Date.now(), remaining_ms: null });
    try {
      order.ended?.(state, job.error);
    } catch (error) {
      unexpected(error, `ending the job ${job.id}`);
    }
    keep(each);
    // A wish that came too late must not meet the job when it is gone on with.
    hearWish(home, order.site, job.id);
    live.delete(keyOf(order.site, job.id));
    each.over.abort();
    told();
    changes.tell(order.site, 'jobs', 'sync');
  }

  function hasBegunAll({ order: { parts = [] }, job: { progress } }: Live): boolean {
    return parts.every((part) => progress.some((begun) => begun.part === part));
  }

  /** Writes down how the job stands. What it stores itself is what counts: a full disk here must not end it. */
  function keep({ order, job }: Live): void {
    try {
      saveJob(order.books, job);
    } catch (error) {
      unexpected(error, `keeping the job ${job.id}`);
    }
  }

  function errorFor(error: unknown, order: Order): ErrorValue {
    const failure = failureOf(error);
    if (failure.code !== 'internal') return failure;
    const log = unexpected(error, `${order.what} of ${order.site}`);
    return { ...failure, hint: `The log has it under ${log}.`, detail: { log } };
  }

  function grant(each: Live, wished: Wish): void {
    if (wished === 'cancel') each.control.abort();
    else for (const hear of each.hear) hear(wished);
  }

  const find = (site: string, id: string) => live.get(keyOf(site, id));

  return {
    start,
    running,
    live(site, id) {
      const each = find(site, id);
      return each === undefined ? null : shown(each);
    },
    async *watch(site, id, signal) {
      const each = find(site, id);
      if (each === undefined) return;
      let fresh = true;
      let wake = () => {};
      const hear = () => {
        fresh = true;
        wake();
      };
      // Its end is told at once.
      const rest = signal === undefined ? each.over.signal : AbortSignal.any([each.over.signal, signal]);
      each.changed.add(hear);
      signal?.addEventListener('abort', hear);
      try {
        while (!signal?.aborted) {
          if (!fresh) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            continue;
          }
          fresh = false;
          const now = shown(each);
          yield now;
          if (now.ended_at !== null) return;
          await quiet(SHOWN_MS, rest);
        }
      } finally {
        each.changed.delete(hear);
        signal?.removeEventListener('abort', hear);
      }
    },
    cancel(site, id) {
      const each = find(site, id);
      if (each === undefined) return null;
      each.control.abort();
      return each.finished.then(() => shown(each));
    },
    tell(site, id, wished) {
      const each = find(site, id);
      if (each !== undefined) grant(each, wished);
      return each !== undefined;
    },
    async close() {
      closing = true;
      const all = [...live.values()];
      for (const each of all) each.control.abort();
      await Promise.all(all.map((each) => each.finished));
    },
  };
}

/** Sortable by time. */
function newJobId(): string {
  return `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}

function isWorkedOn(site: string, what: string, { order, job }: Live): ErrorValue {
  const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
  return {
    code: 'conflict',
    message: `${capital(what)} of ${site} has to wait: ${order.what} is under way.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
    detail: { job: job.id },
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
