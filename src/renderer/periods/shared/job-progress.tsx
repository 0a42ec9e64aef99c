import { useJob } from '../../backend-client/backend-hooks.ts';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { isActiveJob } from '../../jobs/job-progress.ts';
import { RunningJobPanel } from '../../jobs/running-job.tsx';

interface JobProgressProps {
  readonly site: string;
  readonly job: string;
  readonly title: string;
}

/** Shows the progress of a running job, or the error of a failed one. */
export function JobProgress({ site, job: id, title }: JobProgressProps) {
  const job = useJob(site, id);
  if (job === null) return null;
  if (job.error !== null) return <ErrorMessage error={job.error} site={site} />;
  return isActiveJob(job) ? <RunningJobPanel job={job} title={title} /> : null;
}
