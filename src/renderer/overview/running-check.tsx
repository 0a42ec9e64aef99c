import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { RunningJobPanel } from '../jobs/running-job.tsx';
import { texts } from '../texts/texts.ts';

/** Shows the progress of the running check, or of the sync that includes the check. */
export function RunningCheck({ site, job: id }: { readonly site: string; readonly job: string }) {
  const { data: initialJob } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? initialJob;
  if (!job) return null;
  return (
    <RunningJobPanel job={job} title={job.kind === 'check' ? texts.overview.checking : texts.sync.running} />
  );
}
