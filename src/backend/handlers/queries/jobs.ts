import { jobProcedures } from '../../../contract/app/jobs.ts';
import type { Job } from '../../../contract/index.ts';
import { requireRecord } from '../../shared/require-record.ts';
import { getActualJobState } from '../../sites/actual-job-state.ts';
import { readSites } from '../../sites/site-file.ts';
import { getJob, listJobs } from '../../store/jobs/job-list.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const jobQueries = ({ home, stores, query }: QueryContext) =>
  implementProcedures(jobProcedures, {
    list: ({ input: { site, limit } }) => {
      if (site !== undefined) return listSiteJobs(stores, site, limit);
      return readSites(home)
        .flatMap((each) => listSiteJobsOrNone(stores, each.site, limit))
        .sort(compareJobs)
        .slice(0, limit);
    },
    get: query(({ books, folder }, { site, job: id }) => {
      const job = requireRecord(getJob(books, site, id), `job ${id}`, 'See the list of jobs.');
      return getActualJobState(job, folder);
    }),
  });

function listSiteJobs(stores: QueryContext['stores'], site: string, limit: number): Job[] {
  return stores.read(site, ({ books, folder }) =>
    listJobs(books, site, limit).map((job) => getActualJobState(job, folder)),
  );
}

/** Returns a site's jobs, or no jobs if its books cannot be read. The doctor reports unreadable books. */
function listSiteJobsOrNone(stores: QueryContext['stores'], site: string, limit: number): Job[] {
  try {
    return listSiteJobs(stores, site, limit);
  } catch {
    return [];
  }
}

/** Sorts running jobs before others, and newer jobs before older ones. */
function compareJobs(a: Job, b: Job): number {
  const live = (job: Job) => Number(job.state === 'running' || job.state === 'paused');
  return live(b) - live(a) || Date.parse(b.started_at) - Date.parse(a.started_at);
}
