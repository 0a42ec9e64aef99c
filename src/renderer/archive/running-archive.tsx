import type { Job } from '../../contract/index.ts';
import { useJob } from '../backend/hooks.ts';
import { JobParts, partName, RunningJob } from '../jobs/running-job.tsx';
import { words } from '../words/words.ts';

const text = words.archive;

/** Work on the archive under way, named by the part it is at. */
export function RunningArchive({ site, known }: { readonly site: string; readonly known: Job }) {
  const job = useJob(site, known.id) ?? known;
  const moving = job.progress.at(-1);
  return (
    <RunningJob
      job={job}
      title={moving === undefined ? text.running : partName(moving.part, text.parts)}
      label={text.running}
    >
      <JobParts job={job} names={text.parts} />
    </RunningJob>
  );
}
