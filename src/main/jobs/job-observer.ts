import type { BackendClient, Job } from '../../contract/index.ts';
import { watchChanges } from '../watch-changes.ts';

/** Interval in milliseconds at which the progress of running jobs is polled. Chosen by judgment. */
const POLL_INTERVAL_MS = 1_000;

/** Jobs that write to the billing service. Quitting interrupts them between two requests. */
const SENDING_KINDS: readonly Job['kind'][] = ['replay', 'allocations'];

export interface JobSummary {
  /** Completed share of all running jobs, from 0 to 1. `unknown` if a total is unknown, null if no job is running. */
  readonly progress: number | 'unknown' | null;
  readonly sending: readonly Job[];
}

/** Summarizes the running jobs of all sites. */
export function summarizeJobs(jobs: readonly Job[]): JobSummary {
  const running = jobs.filter(({ state }) => state === 'running');
  const sending = running.filter(({ kind }) => SENDING_KINDS.includes(kind));
  if (running.length === 0) return { progress: null, sending };
  const parts = running.flatMap(({ progress }) => progress);
  const total = parts.reduce((sum, part) => sum + (part.total ?? Number.NaN), 0);
  const done = parts.reduce((sum, part) => sum + part.done, 0);
  const share = done / total;
  return { progress: Number.isFinite(share) ? Math.min(share, 1) : 'unknown', sending };
}

/** Returns the jobs that have ended since `before`, except jobs that the user canceled. */
export function findEndedJobs(before: readonly Job[], after: readonly Job[]): Job[] {
  const wasRunning = new Set(before.filter(({ state }) => state === 'running').map(({ id }) => id));
  return after.filter(({ id, state }) => wasRunning.has(id) && (state === 'done' || state === 'failed'));
}

interface JobObserverOptions {
  readonly client: Pick<BackendClient, 'jobs' | 'changes'>;
  readonly signal: AbortSignal;
  onSummary(summary: JobSummary): void;
  onEnded(job: Job): void;
}

/** Observes all jobs until the signal aborts. While a job is running, polls its progress once per second. */
export async function observeJobs(options: JobObserverOptions): Promise<void> {
  const { client, signal, onSummary, onEnded } = options;
  let jobs: readonly Job[] = [];
  let timer: NodeJS.Timeout | undefined;
  const read = async () => {
    clearTimeout(timer);
    const latest = await client.jobs.list({ limit: 50 });
    if (signal.aborted) return;
    for (const job of findEndedJobs(jobs, latest)) onEnded(job);
    jobs = latest;
    onSummary(summarizeJobs(jobs));
    if (jobs.some(({ state }) => state === 'running')) timer = setTimeout(readQuietly, POLL_INTERVAL_MS);
  };
  // A thread may be restarting. Its first change event after the restart triggers another read.
  const readQuietly = () => void read().catch(() => undefined);
  signal.addEventListener('abort', () => clearTimeout(timer));
  readQuietly();
  await watchChanges(client, signal, ({ topics }) => topics.includes('jobs') && readQuietly());
}
