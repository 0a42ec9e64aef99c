import { CircleCheck, CircleDot, Eye, Lock } from 'lucide-react';
import type { PeriodState } from '../../contract/index.ts';
import { Status } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks = {
  open: ['accent', CircleDot],
  submitted: ['warn', Eye],
  reviewed: ['good', CircleCheck],
  closed: ['calm', Lock],
} as const;

export function PeriodStatus({
  state,
  pill = false,
}: {
  readonly state: PeriodState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.periods.states[state]}
    </Status>
  );
}
