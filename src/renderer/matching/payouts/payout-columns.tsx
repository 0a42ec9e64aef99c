import type { Payout } from '../../../contract/index.ts';
import { Money } from '../../controls/formatted-values.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories } from '../../grid/columns/value-columns.tsx';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { DepositStatusBadge, getDepositStatus } from '../shared/match-status-badges.tsx';

const text = texts.payouts;
const column = createColumnFactories(text.columns);

const bridgeAmount = (payout: Payout, category: string): number | null =>
  payout.bridge.find((part) => part.category === category)?.amount_in_cents ?? null;

/** Returns the part of the net amount that is neither payments nor fees, in cents. */
const otherAmount = ({ bridge }: Payout): number =>
  bridge
    .filter(({ category }) => category !== 'payment' && category !== 'fee')
    .reduce((sum, part) => sum + part.amount_in_cents, 0);

export const payoutColumns: readonly GridColumn<Payout>[] = [
  column.date('paid', 112, 'paid_on'),
  column.text('payout', 140, 'payout_id', { fillsSpace: true }),
  column.text('account', 132, (row) => row.account.name, { tone: 'quiet' }),
  column.money('gross', 104, (row) => bridgeAmount(row, 'payment')),
  column.money('fees', 92, (row) => bridgeAmount(row, 'fee')),
  column.money('other', 92, otherAmount),
  column.money('net', 104, 'net_in_cents'),
  column.money('deposited', 110, 'deposited_in_cents'),
  {
    ...column.head('unexplained', 104),
    alignEnd: true,
    cell: (row) => (
      <span className={row.unexplained_in_cents === 0 ? 'grid-quiet' : undefined}>
        <Money cents={row.unexplained_in_cents} />
      </span>
    ),
    copy: (row) => ({ exact: formatDecimal(row.unexplained_in_cents) }),
  },
  column.badge('state', 120, (row) => getDepositStatus(row), DepositStatusBadge),
  column.count('lines', 72, 'lines', { startsHidden: true }),
];
