import { implement } from '@orpc/server';
import { contract, contractError, type Job } from '../../../contract/index.ts';
import { quiet } from '../../jobs/changes.ts';
import { wish } from '../../jobs/wishes.ts';
import { jobOf } from '../../store/books/job-list.ts';
import type { WriterContext } from '../../writer-context.ts';

const on = implement(contract).jobs;

/** How often a job of another process is looked at, and how long its end is waited for. */
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

  /** The job as it is written down, which is all that is known of another process's. */
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
      await quiet(LOOK_MS, signal);
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
      wish(home, site, job, 'cancel');
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const ends = signal === undefined ? patience : AbortSignal.any([patience, signal]);
      let last = before;
      for await (const now of written(site, job, ends)) last = now;
      return last;
    }),
  };
}
