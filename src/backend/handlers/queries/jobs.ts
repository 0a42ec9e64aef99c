import { implement } from '@orpc/server';
import { contract, type Job } from '../../../contract/index.ts';
import { requireFound } from '../../shared/not-found.ts';
import { getActualJobState } from '../../sites/actual-job-state.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { readSites } from '../../sites/site-file.ts';
import { jobOf, listJobs } from '../../store/jobs/job-list.ts';

const on = implement(contract).jobs;

export function jobQueries({ home, stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input: { site, limit } }) => {
      if (site !== undefined) return listSiteJobs(stores, site, limit);
      return readSites(home)
        .flatMap((each) => listSiteJobsOrNone(stores, each.site, limit))
        .sort(compareJobs)
        .slice(0, limit);
    }),
    get: on.get.handler(({ input: { site, job } }) =>
      requireFound(
        stores.read(site, ({ books, folder }) => {
          const kept = jobOf(books, site, job);
          return kept === null ? null : getActualJobState(kept, folder);
        }),
        `job ${job}`,
        'See the site’s jobs for those there are.',
      ),
    ),
  };
}

function listSiteJobs(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  return stores.read(site, ({ books, folder }) =>
    listJobs(books, site, limit).map((job) => getActualJobState(job, folder)),
  );
}

/**
 * Returns a site's jobs, or none if its books cannot be read. The doctor reports such books, and the jobs of other sites
 * are still shown.
 */
function listSiteJobsOrNone(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  try {
    return listSiteJobs(stores, site, limit);
  } catch {
    return [];
  }
}

/** Sorts running jobs first, then newer jobs before older ones. */
function compareJobs(a: Job, b: Job): number {
  const live = (job: Job) => Number(job.state === 'running' || job.state === 'paused');
  return live(b) - live(a) || Date.parse(b.started_at) - Date.parse(a.started_at);
}
