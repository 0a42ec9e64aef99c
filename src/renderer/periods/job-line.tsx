import { useJob } from '../backend/hooks.ts';
import { ErrorNote } from '../errors/error-note.tsx';
import { isUnderWay } from '../jobs/progress.ts';
import { RunningJob } from '../jobs/running-job.tsx';

interface JobLineProps {
  readonly site: string;
  readonly job: string;
  readonly title: string;
}

/** A job of the page while it goes on, and how it failed. */
export function JobLine({ site, job: id, title }: JobLineProps) {
  const job = useJob(site, id);
  if (job === null) return null;
  if (job.error !== null) return <ErrorNote error={job.error} site={site} />;
  return isUnderWay(job) ? <RunningJob job={job} title={title} /> : null;
}
