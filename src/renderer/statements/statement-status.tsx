import { CircleCheck, CircleDashed, CircleDollarSign } from 'lucide-react';
import type { StatementState } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const stateStyles: Record<StatementState, readonly [StatusTone, typeof CircleCheck]> = {
  open: ['accent', CircleDashed],
  unpaid: ['warn', CircleDollarSign],
  paid: ['good', CircleCheck],
};

export function StatementStatus({
  state,
  pill = false,
}: {
  readonly state: StatementState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = stateStyles[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.statements.states[state]}
    </StatusLabel>
  );
}
