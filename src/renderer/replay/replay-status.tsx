import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle } from 'lucide-react';
import type { ReplayJob } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const stateStyles: Record<ReplayJob['state'], readonly [StatusTone, typeof CircleX]> = {
  running: ['accent', LoaderCircle],
  paused: ['warn', CirclePause],
  done: ['good', CircleCheck],
  stopped: ['bad', CircleX],
  canceled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

export function ReplayStatus({
  state,
  pill = true,
}: {
  readonly state: ReplayJob['state'];
  readonly pill?: boolean;
}) {
  const [tone, icon] = stateStyles[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.replay.states[state]}
    </StatusLabel>
  );
}
