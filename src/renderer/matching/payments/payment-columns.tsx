import type { Payment } from '../../../contract/index.ts';
import { MatchStateBadge } from '../../bank/status-badges.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories } from '../../grid/columns/value-columns.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.payments;
const column = createColumnFactories(text.columns);

export const paymentColumns: readonly GridColumn<Payment>[] = [
  column.date('paid', 112, 'paid_on', { sortKey: 'paid_on' }),
  column.money('amount', 112, 'amount_in_cents', { sortKey: 'amount_in_cents' }),
  column.money('open', 104, (row) => {
    const open = row.amount_in_cents - row.claimed_in_cents;
    return open === 0 ? null : open;
  }),
  column.text('currency', 80, 'currency', { startsHidden: true }),
  column.text('customer', 160, 'customer_name', { fillsSpace: true, tone: 'strong' }),
  column.badge('state', 130, 'state', MatchStateBadge),
  column.text('kind', 88, (row) => text.kind[row.kind], { tone: 'quiet' }),
  column.id('statement', 100, 'statement_id'),
  column.id('subscription', 110, 'subscription_id', { startsHidden: true }),
  column.text('gateway', 170, 'gateway_transaction_id', { startsHidden: true, tone: 'quiet' }),
  column.text('memo', 160, 'memo', { startsHidden: true, tone: 'quiet' }),
  column.id('id', 100, 'id', { alignEnd: true, startsHidden: true }),
];
