import type { MatchGroup } from '../../../contract/index.ts';
import { Absent, Money } from '../../controls/values.tsx';
import type { Column } from '../../grid/columns.ts';
import { countColumn, dateColumn, idColumn, moneyColumn, textColumn } from '../../grid/value-columns.tsx';
import { decimalOf } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import { GroupStatusMark, lineTexts, paymentTexts, ruleTitle, sideText } from '../looks.tsx';

const text = words.matching;
const titles = text.columns;

type Passes = readonly { readonly rule: string; readonly title: string }[];

export function groupColumns(passes: Passes): readonly Column<MatchGroup>[] {
  return [
    {
      id: 'status',
      title: titles.status,
      width: 116,
      cell: (row) => <GroupStatusMark status={row.status} />,
      copy: (row) => ({ text: text.statuses[row.status] }),
    },
    dateColumn({ id: 'dated', title: titles.dated, width: 108, sort: 'dated_on' }, (row) => row.dated_on),
    moneyColumn({ id: 'amount', title: titles.amount, width: 100, sort: 'amount_in_cents' }, (row) =>
      amountOf(row),
    ),
    side('lines', 180, (row) => sideText(lineTexts(row), row.line_count)),
    side('payments', 180, (row) => sideText(paymentTexts(row), row.transaction_count)),
    textColumn({ id: 'rule', title: titles.rule, width: 156, tone: 'quiet' }, (row) =>
      ruleTitle(row.rule, passes),
    ),
    {
      id: 'difference',
      title: titles.difference,
      width: 104,
      end: true,
      cell: (row) => <Money cents={row.difference_in_cents === 0 ? null : row.difference_in_cents} />,
      copy: (row) => ({ exact: decimalOf(row.difference_in_cents) }),
    },
    {
      id: 'rivals',
      title: titles.rivals,
      width: 112,
      end: true,
      hidden: true,
      cell: (row) => (row.rivals === 0 ? <Absent /> : row.rivals),
      copy: (row) => ({ exact: String(row.rivals) }),
    },
    countColumn({ id: 'score', title: titles.score, width: 72, hidden: true }, (row) => row.score),
    idColumn({ id: 'id', title: titles.id, width: 80, end: true, hidden: true }, (row) => row.id),
  ];
}

/** What the group is about: the bank's money, or the statements' where no line is in it; of a payout, its deposit. */
function amountOf({ payout, bank_lines: [first], ...group }: MatchGroup): number {
  if (payout !== null && first !== undefined) return first.allocated_in_cents;
  return group.line_count > 0 ? group.lines_in_cents : group.transactions_in_cents;
}

function side(
  id: 'lines' | 'payments',
  width: number,
  read: (row: MatchGroup) => string,
): Column<MatchGroup> {
  return textColumn({ id, title: titles[id], width, grows: true }, read);
}
