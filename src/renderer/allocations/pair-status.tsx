import { CircleAlert, CircleCheck, CircleDashed, CircleHelp } from 'lucide-react';
import type { AllocationPair } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks: Record<AllocationPair['state'], readonly [Tone, typeof CircleCheck]> = {
  held: ['good', CircleCheck],
  waiting: ['calm', CircleDashed],
  missing: ['warn', CircleHelp],
  problem: ['bad', CircleAlert],
};

export function PairStatus({
  state,
  pill = false,
}: {
  readonly state: AllocationPair['state'];
  readonly pill?: boolean;
}) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.allocations.states[state]}
    </Status>
  );
}
