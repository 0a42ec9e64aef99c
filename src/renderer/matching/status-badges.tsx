import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash2,
  type LucideIcon,
  RotateCcw,
} from 'lucide-react';
import type { GroupStatus, MatchGroup, Payout } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const statuses: Record<GroupStatus, readonly [StatusTone, LucideIcon]> = {
  confirmed: ['good', CircleCheck],
  suggested: ['accent', CircleDashed],
  ambiguous: ['warn', CircleHelp],
  declined: ['calm', CircleSlash2],
  undone: ['calm', RotateCcw],
};

export function MatchStatusBadge({
  status,
  pill = false,
}: {
  readonly status: GroupStatus;
  readonly pill?: boolean;
}) {
  const [tone, icon] = statuses[status];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.matching.statuses[status]}
    </StatusLabel>
  );
}

/** Summarizes one side of a match as its first item and the number of further items. */
export function summarizeSide(items: readonly string[], count: number): string {
  const [first] = items;
  if (first === undefined) return '';
  return count > 1 ? `${first} ${texts.matching.more(count - 1)}` : first;
}

/** Returns a short text for each bank line of a match. */
export const matchLineTexts = ({ bank_lines }: MatchGroup): string[] =>
  bank_lines.map(({ description, reference }) => description || reference || '');

/** Returns the customer and statement for each payment of a match. */
export const matchPaymentTexts = ({ transactions }: MatchGroup): string[] =>
  transactions.map(({ customer_name, statement_id }) => `${customer_name ?? ''} · ${statement_id}`);

type DepositState = keyof typeof texts.payouts.states;

/** Returns the match status of a payout's bank deposit, or `none` if no deposit is matched. */
export function depositStateOf({ deposit }: Payout): DepositState {
  const status = deposit?.status;
  return status === 'confirmed' || status === 'suggested' || status === 'ambiguous' ? status : 'none';
}

export function DepositStatusBadge({
  payout,
  pill = false,
}: {
  readonly payout: Payout;
  readonly pill?: boolean;
}) {
  const state = depositStateOf(payout);
  const [tone, icon] = state === 'none' ? (['warn', CircleDashed] as const) : statuses[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.payouts.states[state]}
    </StatusLabel>
  );
}
