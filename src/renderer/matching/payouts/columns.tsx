import type { Payout } from '../../../contract/index.ts';
import { Money } from '../../controls/values.tsx';
import type { Column } from '../../grid/columns.ts';
import { countColumn, dateColumn, moneyColumn, textColumn } from '../../grid/value-columns.tsx';
import { decimalOf } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import { DepositMark, depositState } from '../looks.tsx';

const text = words.payouts;
const titles = text.columns;

const of = (payout: Payout, category: string): number | null =>
  payout.bridge.find((part) => part.category === category)?.amount_in_cents ?? null;

export const payoutColumns: readonly Column<Payout>[] = [
  dateColumn({ id: 'paid', title: titles.paid, width: 112 }, (row) => row.paid_on),
  textColumn({ id: 'payout', title: titles.payout, width: 140, grows: true }, (row) => row.payout_id),
  textColumn({ id: 'account', title: titles.account, width: 132, tone: 'quiet' }, (row) => row.account.name),
  moneyColumn({ id: 'gross', title: titles.gross, width: 104 }, (row) => of(row, 'payment')),
  moneyColumn({ id: 'fees', title: titles.fees, width: 92 }, (row) => of(row, 'fee')),
  moneyColumn({ id: 'net', title: titles.net, width: 104 }, (row) => row.net_in_cents),
  moneyColumn({ id: 'deposited', title: titles.deposited, width: 110 }, (row) => row.deposited_in_cents),
  {
    id: 'unexplained',
    title: titles.unexplained,
    width: 104,
    end: true,
    cell: (row) => (
      <span className={row.unexplained_in_cents === 0 ? 'grid-quiet' : undefined}>
        <Money cents={row.unexplained_in_cents} />
      </span>
    ),
    copy: (row) => ({ exact: decimalOf(row.unexplained_in_cents) }),
  },
  {
    id: 'state',
    title: titles.state,
    width: 120,
    cell: (row) => <DepositMark payout={row} />,
    copy: (row) => ({ text: text.states[depositState(row)] }),
  },
  countColumn({ id: 'lines', title: titles.lines, width: 72, hidden: true }, (row) => row.lines),
];
