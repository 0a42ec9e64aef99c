import { CircleCheck, CircleDot, Eye, Lock, TriangleAlert } from 'lucide-react';
import type { PeriodRow, PeriodState } from '../../../contract/index.ts';
import { createStatusBadge } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

export const PeriodStatusBadge = createStatusBadge<PeriodState | 'suspended'>(
  {
    open: ['accent', CircleDot],
    submitted: ['warn', Eye],
    reviewed: ['good', CircleCheck],
    closed: ['calm', Lock],
    suspended: ['bad', TriangleAlert],
  },
  texts.periods.states,
);

/** Returns the status of a period that its badge shows. */
export const getShownStatus = ({ state, suspended }: Pick<PeriodRow, 'state' | 'suspended'>) =>
  suspended === null ? state : 'suspended';
