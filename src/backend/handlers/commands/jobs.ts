import { jobProcedures } from '../../../contract/app/jobs.ts';
import { createNonRetryableError, type Job } from '../../../contract/index.ts';
import { sleep } from '../../jobs/change-events.ts';
import { storeJobCommand } from '../../jobs/job-commands.ts';
import { getJob } from '../../store/jobs/job-list.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

/** Interval in milliseconds at which a job of another process is polled. */
const JOB_POLL_INTERVAL_MS = 300;
const CANCEL_TIMEOUT_MS = 5000;

export function jobCommands(context: WriterContext) {
  const { home, jobs, stores } = context;

  function requireJob(site: string, id: string): Job {
    const job = jobs.findLive(site, id) ?? getJob(stores.open(site).books, site, id);
    if (job !== null) return job;
    throw createNonRetryableError('not_found', `${site} has no job ${id}.`, 'See the list of jobs.');
  }

  /** Yields a job of another process whenever its stored state changes. Only the books show this state. */
  async function* watchStoredJob(
    site: string,
    id: string,
    signal?: AbortSignal,
  ): AsyncGenerator<Job, void, undefined> {
    let before = '';
    while (!signal?.aborted) {
      const job = requireJob(site, id);
      const now = JSON.stringify(job);
      if (now !== before) yield job;
      before = now;
      if (job.state !== 'running' && job.state !== 'paused') return;
      await sleep(JOB_POLL_INTERVAL_MS, signal);
    }
  }

  async function* watch(
    site: string,
    id: string,
    signal?: AbortSignal,
  ): AsyncGenerator<Job, void, undefined> {
    for await (const now of jobs.watch(site, id, signal)) {
      yield now;
      if (now.ended_at !== null) return;
    }
    yield* watchStoredJob(site, id, signal);
  }

  return implementProcedures(jobProcedures, {
    watch: ({ input: { site, job }, signal }) => watch(site, job, signal),
    cancel: async ({ input: { site, job }, signal }) => {
      const ownJob = jobs.cancel(site, job);
      if (ownJob !== null) return ownJob;
      const before = requireJob(site, job);
      if (before.ended_at !== null) return before;
      storeJobCommand(home, site, job, 'cancel');
      const timeout = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
      const endSignal = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
      let last = before;
      for await (const now of watchStoredJob(site, job, endSignal)) last = now;
      return last;
    },
  });
}
