import { implement } from '@orpc/server';
import { contract, type Job } from '../../../contract/index.ts';
import { asItIs } from '../../jobs/worked-on.ts';
import { readSites } from '../../sites/site-file.ts';
import { jobOf, listJobs } from '../../store/books/job-list.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../reader-context.ts';

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
      found(
        stores.read(site, ({ books, folder }) => {
          const kept = jobOf(books, site, job);
          return kept === null ? null : asItIs(kept, folder);
        }),
        `job ${job}`,
        'See the site’s jobs for those there are.',
      ),
    ),
  };
}

function listed(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  return stores.read(site, ({ books, folder }) =>
    listJobs(books, site, limit).map((job) => asItIs(job, folder)),
  );
}

/** None where the site's books cannot be read: the doctor tells of them, and the other sites' jobs are shown. */
function jobsOf(stores: ReaderContext['stores'], site: string, limit: number): Job[] {
  try {
    return listed(stores, site, limit);
  } catch {
    return [];
  }
}

/** Running first, then the newest. */
function byTurn(a: Job, b: Job): number {
  const live = (job: Job) => Number(job.state === 'running' || job.state === 'paused');
  return live(b) - live(a) || Date.parse(b.started_at) - Date.parse(a.started_at);
}
