import { CircleAlert, CircleCheck, CircleDashed, CircleHelp } from 'lucide-react';
import type { SubscriptionComponent } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const stateStyles: Record<SubscriptionComponent['state'], readonly [StatusTone, typeof CircleCheck]> = {
  complete: ['good', CircleCheck],
  waiting: ['calm', CircleDashed],
  missing: ['warn', CircleHelp],
  problem: ['bad', CircleAlert],
};

export function AllocationHistoryStatus({
  state,
  pill = false,
}: {
  readonly state: SubscriptionComponent['state'];
  readonly pill?: boolean;
}) {
  const [tone, icon] = stateStyles[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.allocations.states[state]}
    </StatusLabel>
  );
}
