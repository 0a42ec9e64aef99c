import { CircleCheck, CircleDashed, CircleHelp } from 'lucide-react';
import type { ChecklistStep } from '../../../contract/index.ts';
import { createStatusBadge } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

export const ChecklistStateBadge = createStatusBadge<ChecklistStep['state']>(
  { done: ['good', CircleCheck], open: ['warn', CircleDashed], unknown: ['calm', CircleHelp] },
  texts.periods.checklist.states,
);
