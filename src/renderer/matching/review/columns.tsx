import type { MatchGroup } from '../../../contract/index.ts';
import { matchOriginLabel } from '../../../domain/labels/matches.ts';
import { Money, NoValue } from '../../controls/values.tsx';
import type { GridColumn } from '../../grid/columns/columns.ts';
import {
  countColumn,
  dateColumn,
  idColumn,
  moneyColumn,
  textColumn,
} from '../../grid/columns/value-columns.tsx';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { MatchStatusBadge, matchLineTexts, matchPaymentTexts, summarizeSide } from '../status-badges.tsx';

const text = texts.matching;
const titles = text.columns;

export const matchColumns: readonly GridColumn<MatchGroup>[] = [
  {
    id: 'status',
    title: titles.status,
    width: 116,
    cell: (row) => <MatchStatusBadge status={row.status} />,
    copy: (row) => ({ text: text.statuses[row.status] }),
  },
  dateColumn({ id: 'dated', title: titles.dated, width: 108, sortKey: 'dated_on' }, (row) => row.dated_on),
  moneyColumn({ id: 'amount', title: titles.amount, width: 100, sortKey: 'amount_in_cents' }, (row) =>
    amountOf(row),
  ),
  sideColumn('lines', 180, (row) => summarizeSide(matchLineTexts(row), row.line_count)),
  sideColumn('payments', 180, (row) => summarizeSide(matchPaymentTexts(row), row.transaction_count)),
  textColumn(
    { id: 'rule', title: titles.rule, width: 156, tone: 'quiet' },
    (row) => matchOriginLabel(row.rule).title,
  ),
  {
    id: 'difference',
    title: titles.difference,
    width: 104,
    alignEnd: true,
    cell: (row) => <Money cents={row.difference_in_cents === 0 ? null : row.difference_in_cents} />,
    copy: (row) => ({ exact: formatDecimal(row.difference_in_cents) }),
  },
  {
    id: 'alternatives',
    title: titles.alternatives,
    width: 112,
    alignEnd: true,
    isHiddenByDefault: true,
    cell: (row) => (row.alternatives === 0 ? <NoValue /> : row.alternatives),
    copy: (row) => ({ exact: String(row.alternatives) }),
  },
  countColumn({ id: 'score', title: titles.score, width: 72, isHiddenByDefault: true }, (row) => row.score),
  idColumn(
    { id: 'id', title: titles.id, width: 80, alignEnd: true, isHiddenByDefault: true },
    (row) => row.id,
  ),
];

/**
 * Returns the amount of a match: the total of its bank lines, or of its payments if it has no bank line. For a payout,
 * returns the deposit.
 */
function amountOf({ payout, bank_lines: [first], ...group }: MatchGroup): number {
  if (payout !== null && first !== undefined) return first.allocated_in_cents;
  return group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents;
}

function sideColumn(
  id: 'lines' | 'payments',
  width: number,
  read: (row: MatchGroup) => string,
): GridColumn<MatchGroup> {
  return textColumn({ id, title: titles[id], width, fillsSpace: true }, read);
}
