import { type Activity, CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle } from 'lucide-react';
import type { JobState } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const looks: Record<JobState, readonly [StatusTone, typeof Activity]> = {
  running: ['accent', LoaderCircle],
  paused: ['warn', CirclePause],
  done: ['good', CircleCheck],
  failed: ['bad', CircleX],
  canceled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

/** Shows the status of a job. */
export function JobStatus({ state }: { readonly state: JobState }) {
  const [tone, icon] = looks[state];
  return (
    <StatusLabel tone={tone} icon={icon}>
      {texts.jobs.states[state]}
    </StatusLabel>
  );
}
