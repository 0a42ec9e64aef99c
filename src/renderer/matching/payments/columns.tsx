import type { Payment } from '../../../contract/index.ts';
import { MatchStatus } from '../../bank/looks.tsx';
import type { Column } from '../../grid/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../../grid/value-columns.tsx';
import { words } from '../../words/words.ts';

const text = words.payments;
const titles = text.columns;

export const paymentColumns: readonly Column<Payment>[] = [
  dateColumn({ id: 'paid', title: titles.paid, width: 112, sort: 'paid_on' }, (row) => row.paid_on),
  moneyColumn(
    { id: 'amount', title: titles.amount, width: 112, sort: 'amount_in_cents' },
    (row) => row.amount_in_cents,
  ),
  moneyColumn({ id: 'open', title: titles.open, width: 104 }, (row) => {
    const open = row.amount_in_cents - row.claimed_in_cents;
    return open === 0 ? null : open;
  }),
  textColumn({ id: 'currency', title: titles.currency, width: 80, hidden: true }, (row) => row.currency),
  textColumn(
    { id: 'customer', title: titles.customer, width: 160, grows: true, tone: 'strong' },
    (row) => row.customer_name,
  ),
  {
    id: 'state',
    title: titles.state,
    width: 130,
    cell: (row) => <MatchStatus state={row.state} />,
    copy: (row) => ({ text: words.bank.states[row.state] }),
  },
  textColumn({ id: 'kind', title: titles.kind, width: 88, tone: 'quiet' }, (row) => text.kind[row.kind]),
  idColumn({ id: 'statement', title: titles.statement, width: 100 }, (row) => row.statement_id),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 110, hidden: true },
    (row) => row.subscription_id,
  ),
  textColumn(
    { id: 'gateway', title: titles.gateway, width: 170, hidden: true, tone: 'quiet' },
    (row) => row.gateway_transaction_id,
  ),
  textColumn({ id: 'memo', title: titles.memo, width: 160, hidden: true, tone: 'quiet' }, (row) => row.memo),
  idColumn({ id: 'id', title: titles.id, width: 100, end: true, hidden: true }, (row) => row.id),
];
