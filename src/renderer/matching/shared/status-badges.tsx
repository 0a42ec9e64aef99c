import { CircleCheck, CircleDashed, CircleHelp, CircleSlash2, RotateCcw } from 'lucide-react';
import type { GroupStatus, MatchGroup, Payout } from '../../../contract/index.ts';
import { createStatusBadge, type StatusStyles } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

const styles: StatusStyles<GroupStatus> = {
  confirmed: ['good', CircleCheck],
  suggested: ['accent', CircleDashed],
  ambiguous: ['warn', CircleHelp],
  declined: ['calm', CircleSlash2],
  undone: ['calm', RotateCcw],
};

export const MatchStatusBadge = createStatusBadge(styles, texts.matching.statuses);

type DepositState = keyof typeof texts.payouts.states;

export const DepositStatusBadge = createStatusBadge<DepositState>(
  { ...styles, none: ['warn', CircleDashed] },
  texts.payouts.states,
);

/** Returns the match status of a payout's bank deposit, or `none` if no deposit is matched. */
export function getDepositState({ deposit }: Payout): DepositState {
  const status = deposit?.status;
  return status === 'confirmed' || status === 'suggested' || status === 'ambiguous' ? status : 'none';
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
