import { implement } from '@orpc/server';
import { contract, type Job } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { actualJobState } from '../../sites/interrupted-state.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { readSites } from '../../sites/site-file.ts';
import { jobOf, listJobs } from '../../store/jobs/job-list.ts';

const on = implement(contract).jobs;

export function jobQueries({ home, stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input: { site, limit } }) => {
      if (site !== undefined) return listed(stores, site, limit);
      return readSites(home)
        .flatMap((each) => jobsOf(stores, each.site, limit))
        .sort(byTurn)
        .slice(0, limit);
    }),
    get: on.get.handler(({ input: { site, job } }) =>
      requireFound(
        stores.read(site, ({ books, folder }) => {
          const kept = jobOf(books, site, job);
          return kept === null ? null : actualJobState(kept, folder);
        }),
        `job ${job}`,
        'See the site’s jobs for those there are.',
      ),
    ),
  };
}

function listed(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  return stores.read(site, ({ books, folder }) =>
    listJobs(books, site, limit).map((job) => actualJobState(job, folder)),
  );
}

/** Returns none if the site's books cannot be read. The doctor reports that, and other sites' jobs are still shown. */
function jobsOf(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  try {
    return listed(stores, site, limit);
  } catch {
    return [];
  }
}

/** Sorts running jobs first, then by time, newest first. */
function byTurn(a: Job, b: Job): number {
  const live = (job: Job) => Number(job.state === 'running' || job.state === 'paused');
  return live(b) - live(a) || Date.parse(b.started_at) - Date.parse(a.started_at);
}
