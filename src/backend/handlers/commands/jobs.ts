import { implement } from '@orpc/server';
import { contract, contractError, type Job } from '../../../contract/index.ts';
import { sleep } from '../../jobs/change-events.ts';
import { storeJobCommand } from '../../jobs/job-commands.ts';
import { jobOf } from '../../store/jobs/job-list.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).jobs;

/** Polling interval for a job of another process, and how long its end is awaited, in milliseconds. */
const LOOK_MS = 300;
const PATIENCE_MS = 5000;

export function jobCommands(context: WriterContext) {
  const { home, jobs, stores } = context;

  function kept(site: string, id: string): Job {
    const job = jobs.live(site, id) ?? jobOf(stores.open(site).books, site, id);
    if (job !== null) return job;
    throw contractError({
      code: 'not_found',
      message: `There is no job ${id} on ${site}.`,
      hint: 'See the list of jobs for those there are.',
      retryable: false,
    });
  }

  /** Yields the stored state of a job, which is all that is known about another process's job. */
  async function* written(
    site: string,
    id: string,
    signal?: AbortSignal,
  ): AsyncGenerator<Job, void, undefined> {
    let before = '';
    while (!signal?.aborted) {
      const job = kept(site, id);
      const now = JSON.stringify(job);
      if (now !== before) yield job;
      before = now;
      if (job.state !== 'running' && job.state !== 'paused') return;
      await sleep(LOOK_MS, signal);
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
    yield* written(site, id, signal);
  }

  return {
    watch: on.watch.handler(({ input: { site, job }, signal }) => watch(site, job, signal)),
    cancel: on.cancel.handler(async ({ input: { site, job }, signal }) => {
      const here = jobs.cancel(site, job);
      if (here !== null) return here;
      const before = kept(site, job);
      if (before.ended_at !== null) return before;
      storeJobCommand(home, site, job, 'cancel');
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const ends = signal === undefined ? patience : AbortSignal.any([patience, signal]);
      let last = before;
      for await (const now of written(site, job, ends)) last = now;
      return last;
    }),
  };
}
