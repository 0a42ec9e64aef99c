import type { Progress as Part } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { jobWait } from '../jobs/job-progress.ts';
import { JobPartList, RunningJobPanel } from '../jobs/running-job.tsx';
import { formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.sync;

/** A sync under way, part by part. */
export function RunningSync({
  site,
  job: id,
  other_process: elsewhere,
}: {
  readonly site: string;
  readonly job: string;
  /** The process that syncs, where it is another one. */
  readonly other_process?: { readonly pid: number } | null;
}) {
  const { data: known } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? known;
  if (!job) return null;
  const moving = job.progress.at(-1);
  // How long the whole will take is known when all parts have begun; until then, what this one will.
  const reckons = job.remaining_ms === null && jobWait(job) === null;
  const left = reckons && moving !== undefined ? partLeft(moving, job.rate) : null;
  const note = (part: Part) =>
    [part.current, part === moving && left !== null && texts.jobs.remaining(formatDuration(left))]
      .filter(Boolean)
      .join(' · ');
  return (
    <RunningJobPanel job={job} title={text.running} cancel={<CommandButton id="sync.cancel" size="small" />}>
      {elsewhere && <p className="fineprint">{text.runningElsewhere(elsewhere.pid)}</p>}
      <JobPartList job={job} names={text.parts} note={note} />
    </RunningJobPanel>
  );
}

/** How long the rest of a part takes at this pace, in ms; null where that is not known. */
function partLeft({ done, failed, total }: Part, rate: number | null): number | null {
  if (total === null || rate === null || rate <= 0) return null;
  const more = total - done - failed;
  return more > 0 ? (more * 1000) / rate : null;
}
