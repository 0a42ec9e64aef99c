import { CircleCheck, CircleDot, Eye, Lock } from 'lucide-react';
import type { PeriodState } from '../../contract/index.ts';
import { StatusLabel } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const badgeStyles = {
  open: ['accent', CircleDot],
  submitted: ['warn', Eye],
  reviewed: ['good', CircleCheck],
  closed: ['calm', Lock],
} as const;

export function PeriodStatusBadge({
  state,
  pill = false,
}: {
  readonly state: PeriodState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = badgeStyles[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.periods.states[state]}
    </StatusLabel>
  );
}
