import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Job, type JobState, type JobProgress as Part, toContractError } from '../../contract/index.ts';
import { useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { createStatusBadge } from '../controls/status-label.tsx';
import { formatError } from '../errors/error-texts.ts';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { formatJobRate, getTotalJobProgress } from './job-progress.ts';
import './jobs.css';

const text = texts.jobs;

interface RunningJobPanelProps {
  readonly job: Job;
  readonly title: string;
  /** Accessible name of the section. Needed if the title changes while the job runs. */
  readonly label?: string;
  /** Custom cancel button, for jobs whose cancellation is a separate command. */
  readonly cancel?: ReactNode;
  /** Progress of the job's parts. If omitted, the overall progress is shown. */
  readonly children?: ReactNode;
}

/** Panel on a job's own screen that shows progress, rate, and a cancel button. */
export function RunningJobPanel({ job, title, label = title, cancel, children }: RunningJobPanelProps) {
  const cancelJob = useCancelJob(job);
  const { done, total, estimated } = getTotalJobProgress(job);
  return (
    <section className="running-job" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <span className="fineprint">
          {[children ? null : text.progressOf(done, total, estimated), formatJobRate(job)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {cancel ?? (
          <Button size="small" icon={X} onPress={cancelJob}>
            {texts.controls.cancel}
          </Button>
        )}
      </header>
      {children ?? <ProgressIndicator label={title} done={done} total={total} />}
    </section>
  );
}

interface JobPartListProps {
  readonly job: Job;
  readonly names: Readonly<Record<string, string>>;
  /** Returns additional text to show below a part of the job. */
  readonly note?: (part: Part) => ReactNode;
}

/** Lists the parts of a job with their progress. */
export function JobPartList({ job, names, note }: JobPartListProps) {
  return job.progress.map((part) => {
    const name = getJobPartName(part.part, names);
    return (
      <div key={part.part} className="running-job-part">
        <div>
          <span>{name}</span>
          <span className="fineprint">
            {text.progressOf(part.done, part.total, part.estimated)}
            {part.failed > 0 && ` · ${text.failed(part.failed)}`}
          </span>
        </div>
        <ProgressIndicator label={name} done={part.done} total={part.total} />
        {note && <span className="fineprint">{note(part) || '\u00a0'}</span>}
      </div>
    );
  });
}

/** Returns the display name of a job part, or its technical name if it has no display name. */
export function getJobPartName(part: string, names: Readonly<Record<string, string>>): string {
  return new Map(Object.entries(names)).get(part) ?? part;
}

/** Returns a function that cancels a job. If canceling fails, the function shows a notice. */
export function useCancelJob({ site, id }: Pick<Job, 'site' | 'id'>): () => void {
  const client = useContractClient();
  return () => {
    client.jobs.cancel({ site, job: id }).catch((thrown: unknown) => {
      showNotice(formatError(toContractError(thrown)), 'bad');
    });
  };
}

export const JobStatus = createStatusBadge<JobState>(
  {
    running: ['accent', LoaderCircle],
    paused: ['warn', CirclePause],
    done: ['good', CircleCheck],
    failed: ['bad', CircleX],
    canceled: ['calm', CircleDashed],
    interrupted: ['warn', CircleDashed],
  },
  texts.jobs.states,
);
