import { CircleCheck, CircleDot, Eye, Lock } from 'lucide-react';
import type { PeriodState } from '../../../contract/index.ts';
import { createStatusBadge } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

export const PeriodStatusBadge = createStatusBadge<PeriodState>(
  {
    open: ['accent', CircleDot],
    submitted: ['warn', Eye],
    reviewed: ['good', CircleCheck],
    closed: ['calm', Lock],
  },
  texts.periods.states,
);
