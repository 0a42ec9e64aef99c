import type { MatchGroup } from '../../../contract/index.ts';
import { getMatchOriginLabel } from '../../../domain/labels/matches.ts';
import { MissingValue, Money } from '../../controls/formatted-values.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories, createTextColumn } from '../../grid/columns/value-columns.tsx';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import {
  formatMatchBankLines,
  formatMatchPayments,
  MatchStatusBadge,
  summarizeMatchSide,
} from '../shared/match-status-badges.tsx';

const text = texts.matching;
const titles = text.columns;
const column = createColumnFactories(titles);

export const matchColumns: readonly GridColumn<MatchGroup>[] = [
  column.badge('status', 116, 'status', MatchStatusBadge),
  column.date('dated', 108, 'dated_on', { sortKey: 'dated_on' }),
  column.money('amount', 100, (row) => amountOf(row), { sortKey: 'amount_in_cents' }),
  sideColumn('lines', 180, (row) => summarizeMatchSide(formatMatchBankLines(row), row.line_count)),
  sideColumn('payments', 180, (row) => summarizeMatchSide(formatMatchPayments(row), row.transaction_count)),
  column.text('rule', 156, (row) => getMatchOriginLabel(row.rule).title, { tone: 'quiet' }),
  {
    ...column.head('difference', 104),
    alignEnd: true,
    cell: (row) => <Money cents={row.difference_in_cents === 0 ? null : row.difference_in_cents} />,
    copy: (row) => ({ exact: formatDecimal(row.difference_in_cents) }),
  },
  {
    ...column.head('alternatives', 112),
    alignEnd: true,
    startsHidden: true,
    cell: (row) => (row.alternatives === 0 ? <MissingValue /> : row.alternatives),
    copy: (row) => ({ exact: String(row.alternatives) }),
  },
  column.count('score', 72, 'score', { startsHidden: true }),
  column.id('id', 80, 'id', { alignEnd: true, startsHidden: true }),
];

/** Returns a payout's deposit, the total of other bank lines, or the payments' total if there are no lines. */
function amountOf({ payout, bank_lines: [first], ...group }: MatchGroup): number {
  if (payout !== null && first !== undefined) return first.allocated_in_cents;
  return group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents;
}

function sideColumn(
  id: 'lines' | 'payments',
  width: number,
  read: (row: MatchGroup) => string,
): GridColumn<MatchGroup> {
  return createTextColumn({ id, title: titles[id], width, fillsSpace: true }, read);
}
