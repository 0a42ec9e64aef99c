import { CircleCheck, CircleDashed, CircleHelp, CircleSlash2, RotateCcw } from 'lucide-react';
import type { MatchGroup, MatchGroupStatus, Payout } from '../../../contract/index.ts';
import { createStatusBadge, type StatusStyleMap } from '../../controls/status-label.tsx';
import { texts } from '../../texts/texts.ts';

const styles: StatusStyleMap<MatchGroupStatus> = {
  confirmed: ['good', CircleCheck],
  suggested: ['accent', CircleDashed],
  ambiguous: ['warn', CircleHelp],
  declined: ['calm', CircleSlash2],
  undone: ['calm', RotateCcw],
};

export const MatchStatusBadge = createStatusBadge(styles, texts.matching.statuses);

type DepositStatus = keyof typeof texts.payouts.states;

export const DepositStatusBadge = createStatusBadge<DepositStatus>(
  { ...styles, none: ['warn', CircleDashed] },
  texts.payouts.states,
);

/** Returns the match status of a payout's bank deposit, or `none` if no deposit is matched. */
export function getDepositStatus({ deposit }: Payout): DepositStatus {
  const status = deposit?.status;
  return status === 'confirmed' || status === 'suggested' || status === 'ambiguous' ? status : 'none';
}

/** Summarizes one side of a match as its first item and the number of further items. */
export function summarizeMatchSide(items: readonly string[], count: number): string {
  const [first] = items;
  if (first === undefined) return '';
  return count > 1 ? `${first} ${texts.matching.more(count - 1)}` : first;
}

/** Returns a short text for each bank line of a match. */
export const formatMatchBankLines = ({ bank_lines }: MatchGroup): string[] =>
  bank_lines.map(({ description, reference }) => description || reference || '');

/** Returns the customer and statement for each payment of a match. */
export const formatMatchPayments = ({ transactions }: MatchGroup): string[] =>
  transactions.map(({ customer_name, statement_id }) => `${customer_name ?? ''} · ${statement_id}`);
