import { CircleCheck, CircleDashed, CircleDollarSign } from 'lucide-react';
import type { StatementRow, StatementState } from '../../contract/index.ts';
import { DateTime } from '../controls/formatted-values.tsx';
import { createStatusBadge } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

export const StatementStatus = createStatusBadge<StatementState>(
  { open: ['accent', CircleDashed], unpaid: ['warn', CircleDollarSign], paid: ['good', CircleCheck] },
  texts.statements.states,
);

interface StatementDaysProps {
  readonly statement: Pick<StatementRow, 'opened_at' | 'closed_at'>;
}

/** Shows the first and last day of a statement. */
export function StatementDateRange({ statement: { opened_at, closed_at } }: StatementDaysProps) {
  return (
    <span>
      <DateTime at={opened_at} precision="day" /> – <DateTime at={closed_at} precision="day" />
    </span>
  );
}
