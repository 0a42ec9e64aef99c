import type { Job } from '../../contract/index.ts';
import { useJob } from '../backend-client/backend-hooks.ts';
import { JobPartList, jobPartName, RunningJobPanel } from '../jobs/running-job.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

/** Work on the archive under way, named by the part it is at. */
export function RunningArchiveJob({ site, known }: { readonly site: string; readonly known: Job }) {
  const job = useJob(site, known.id) ?? known;
  const moving = job.progress.at(-1);
  return (
    <RunningJobPanel
      job={job}
      title={moving === undefined ? text.running : jobPartName(moving.part, text.parts)}
      label={text.running}
    >
      <JobPartList job={job} names={text.parts} />
    </RunningJobPanel>
  );
}
