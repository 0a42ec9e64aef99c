import type { Job } from '../../contract/index.ts';
import { useJob } from '../backend-client/backend-hooks.ts';
import { JobPartList, jobPartName, RunningJobPanel } from '../jobs/running-job.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

/** Shows the progress of an archive job. The title names the part that is currently running. */
export function RunningArchiveJob({ site, known }: { readonly site: string; readonly known: Job }) {
  const job = useJob(site, known.id) ?? known;
  const currentPart = job.progress.at(-1);
  return (
    <RunningJobPanel
      job={job}
      title={currentPart === undefined ? text.running : jobPartName(currentPart.part, text.parts)}
      label={text.running}
    >
      <JobPartList job={job} names={text.parts} />
    </RunningJobPanel>
  );
}
