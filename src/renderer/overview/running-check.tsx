import { useJob, useQuery } from '../backend/hooks.ts';
import { RunningJob } from '../jobs/running-job.tsx';
import { words } from '../words/words.ts';

/** The job that checks now, be it a check of everything or a sync. */
export function RunningCheck({ site, job: id }: { readonly site: string; readonly job: string }) {
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  return <RunningJob job={job} title={job.kind === 'check' ? words.overview.checking : words.sync.running} />;
}
