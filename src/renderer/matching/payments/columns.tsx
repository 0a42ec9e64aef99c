import type { Payment } from '../../../contract/index.ts';
import { MatchStateBadge } from '../../bank/status-badges.tsx';
import type { GridColumn } from '../../grid/columns/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../../grid/columns/value-columns.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.payments;
const titles = text.columns;

export const paymentColumns: readonly GridColumn<Payment>[] = [
  dateColumn({ id: 'paid', title: titles.paid, width: 112, sortKey: 'paid_on' }, (row) => row.paid_on),
  moneyColumn(
    { id: 'amount', title: titles.amount, width: 112, sortKey: 'amount_in_cents' },
    (row) => row.amount_in_cents,
  ),
  moneyColumn({ id: 'open', title: titles.open, width: 104 }, (row) => {
    const open = row.amount_in_cents - row.claimed_in_cents;
    return open === 0 ? null : open;
  }),
  textColumn(
    { id: 'currency', title: titles.currency, width: 80, isHiddenByDefault: true },
    (row) => row.currency,
  ),
  textColumn(
    { id: 'customer', title: titles.customer, width: 160, fillsSpace: true, tone: 'strong' },
    (row) => row.customer_name,
  ),
  {
    id: 'state',
    title: titles.state,
    width: 130,
    cell: (row) => <MatchStateBadge state={row.state} />,
    copy: (row) => ({ text: texts.bank.states[row.state] }),
  },
  textColumn({ id: 'kind', title: titles.kind, width: 88, tone: 'quiet' }, (row) => text.kind[row.kind]),
  idColumn({ id: 'statement', title: titles.statement, width: 100 }, (row) => row.statement_id),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 110, isHiddenByDefault: true },
    (row) => row.subscription_id,
  ),
  textColumn(
    { id: 'gateway', title: titles.gateway, width: 170, isHiddenByDefault: true, tone: 'quiet' },
    (row) => row.gateway_transaction_id,
  ),
  textColumn(
    { id: 'memo', title: titles.memo, width: 160, isHiddenByDefault: true, tone: 'quiet' },
    (row) => row.memo,
  ),
  idColumn(
    { id: 'id', title: titles.id, width: 100, alignEnd: true, isHiddenByDefault: true },
    (row) => row.id,
  ),
];
