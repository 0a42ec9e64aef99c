import type { Payout } from '../../../contract/index.ts';
import { Money } from '../../controls/values.tsx';
import type { GridColumn } from '../../grid/columns/columns.ts';
import { countColumn, dateColumn, moneyColumn, textColumn } from '../../grid/columns/value-columns.tsx';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { DepositStatusBadge, depositStateOf } from '../status-badges.tsx';

const text = texts.payouts;
const titles = text.columns;

const bridgeAmount = (payout: Payout, category: string): number | null =>
  payout.bridge.find((part) => part.category === category)?.amount_in_cents ?? null;

export const payoutColumns: readonly GridColumn<Payout>[] = [
  dateColumn({ id: 'paid', title: titles.paid, width: 112 }, (row) => row.paid_on),
  textColumn({ id: 'payout', title: titles.payout, width: 140, fillsSpace: true }, (row) => row.payout_id),
  textColumn({ id: 'account', title: titles.account, width: 132, tone: 'quiet' }, (row) => row.account.name),
  moneyColumn({ id: 'gross', title: titles.gross, width: 104 }, (row) => bridgeAmount(row, 'payment')),
  moneyColumn({ id: 'fees', title: titles.fees, width: 92 }, (row) => bridgeAmount(row, 'fee')),
  moneyColumn({ id: 'net', title: titles.net, width: 104 }, (row) => row.net_in_cents),
  moneyColumn({ id: 'deposited', title: titles.deposited, width: 110 }, (row) => row.deposited_in_cents),
  {
    id: 'unexplained',
    title: titles.unexplained,
    width: 104,
    alignEnd: true,
    cell: (row) => (
      <span className={row.unexplained_in_cents === 0 ? 'grid-quiet' : undefined}>
        <Money cents={row.unexplained_in_cents} />
      </span>
    ),
    copy: (row) => ({ exact: formatDecimal(row.unexplained_in_cents) }),
  },
  {
    id: 'state',
    title: titles.state,
    width: 120,
    cell: (row) => <DepositStatusBadge payout={row} />,
    copy: (row) => ({ text: text.states[depositStateOf(row)] }),
  },
  countColumn({ id: 'lines', title: titles.lines, width: 72, isHiddenByDefault: true }, (row) => row.lines),
];
