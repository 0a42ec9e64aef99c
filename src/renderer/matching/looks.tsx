import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash2,
  type LucideIcon,
  RotateCcw,
} from 'lucide-react';
import type { GroupStatus, MatchGroup, Payout } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { words } from '../words/words.ts';

const statuses: Record<GroupStatus, readonly [Tone, LucideIcon]> = {
  confirmed: ['good', CircleCheck],
  suggested: ['accent', CircleDashed],
  ambiguous: ['warn', CircleHelp],
  declined: ['calm', CircleSlash2],
  undone: ['calm', RotateCcw],
};

export function GroupStatusMark({
  status,
  pill = false,
}: {
  readonly status: GroupStatus;
  readonly pill?: boolean;
}) {
  const [tone, icon] = statuses[status];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.matching.statuses[status]}
    </Status>
  );
}

/** The passes' titles by their names, and what is no pass. */
export function ruleTitle(
  rule: string,
  passes: readonly { readonly rule: string; readonly title: string }[],
): string {
  const { manual, writtenOff, userRule } = words.matching;
  const known = new Map([
    ['manual', manual],
    ['write-off', writtenOff],
    ['user-rule', userRule],
    ...passes.map((pass) => [pass.rule, pass.title] as const),
  ]);
  return known.get(rule) ?? rule;
}

/** One side of a match in a line: the first of it, and how many more. */
export function sideText(texts: readonly string[], count: number): string {
  const [first] = texts;
  if (first === undefined) return '';
  return count > 1 ? `${first} ${words.matching.more(count - 1)}` : first;
}

export const lineTexts = ({ bank_lines }: MatchGroup): string[] =>
  bank_lines.map(({ description, reference }) => description || reference || '');

export const paymentTexts = ({ transactions }: MatchGroup): string[] =>
  transactions.map(({ customer_name, statement_id }) => `${customer_name ?? ''} · ${statement_id}`);

type DepositState = keyof typeof words.payouts.states;

/** How far a payout's deposit is found. */
export function depositState({ deposit }: Payout): DepositState {
  const status = deposit?.status;
  return status === 'confirmed' || status === 'suggested' || status === 'ambiguous' ? status : 'none';
}

export function DepositMark({ payout, pill = false }: { readonly payout: Payout; readonly pill?: boolean }) {
  const state = depositState(payout);
  const [tone, icon] = state === 'none' ? (['warn', CircleDashed] as const) : statuses[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.payouts.states[state]}
    </Status>
  );
}
