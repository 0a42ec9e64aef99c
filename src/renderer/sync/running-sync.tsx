import type { JobProgress as Part } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { getJobWaitReason } from '../jobs/job-progress.ts';
import { JobPartList, RunningJobPanel } from '../jobs/running-job.tsx';
import { formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.sync;

/** Shows the progress of each part of a running sync. */
export function RunningSync({
  site,
  job: id,
  other_process: otherProcess,
}: {
  readonly site: string;
  readonly job: string;
  /** Other Tieout process that runs the sync. Missing or null if this window's own backend runs it. */
  readonly other_process?: { readonly pid: number } | null;
}) {
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  const currentPart = job.progress.at(-1);
  // Until all parts have started, the job's remaining time is unknown and the current part's is shown instead.
  const estimatesPart = job.remaining_ms === null && getJobWaitReason(job) === null;
  const partLeftMs =
    estimatesPart && currentPart !== undefined ? estimatePartLeftMs(currentPart, job.rate) : null;
  const note = (part: Part) =>
    [
      part.current,
      part === currentPart && partLeftMs !== null && texts.jobs.remaining(formatDuration(partLeftMs)),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <RunningJobPanel job={job} title={text.running} cancel={<CommandButton id="sync.cancel" size="small" />}>
      {otherProcess && <p className="fineprint">{text.runningElsewhere(otherProcess.pid)}</p>}
      <JobPartList job={job} names={text.parts} note={note} />
    </RunningJobPanel>
  );
}

/** Returns the remaining time of a part in milliseconds at the current rate, or null if it is unknown. */
function estimatePartLeftMs({ done, failed, total }: Part, rate: number | null): number | null {
  if (total === null || rate === null || rate <= 0) return null;
  const remaining = total - done - failed;
  return remaining > 0 ? (remaining * 1000) / rate : null;
}
