import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle } from 'lucide-react';
import type { ReplayJob } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks: Record<ReplayJob['state'], readonly [Tone, typeof CircleX]> = {
  running: ['accent', LoaderCircle],
  paused: ['warn', CirclePause],
  done: ['good', CircleCheck],
  stopped: ['bad', CircleX],
  cancelled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

export function ReplayStatus({
  state,
  pill = true,
}: {
  readonly state: ReplayJob['state'];
  readonly pill?: boolean;
}) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.replay.states[state]}
    </Status>
  );
}
