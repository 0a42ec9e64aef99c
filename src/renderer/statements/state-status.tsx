import { CircleCheck, CircleDashed, CircleDollarSign } from 'lucide-react';
import type { StatementState } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const looks: Record<StatementState, readonly [Tone, typeof CircleCheck]> = {
  open: ['accent', CircleDashed],
  unpaid: ['warn', CircleDollarSign],
  paid: ['good', CircleCheck],
};

export function StateStatus({
  state,
  pill = false,
}: {
  readonly state: StatementState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.statements.states[state]}
    </Status>
  );
}
