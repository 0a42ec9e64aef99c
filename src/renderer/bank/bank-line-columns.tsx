import type { BankLine } from '../../contract/index.ts';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { MatchStateBadge } from './status-badges.tsx';

const text = texts.bank;
const titles = text.columns;

const column = createColumnFactories(titles);
const hidden = { startsHidden: true };
const hiddenNumber = { ...hidden, alignEnd: true };

export const bankLineColumns: readonly GridColumn<BankLine>[] = [
  column.date('booked', 112, 'booked_on', { sortKey: 'booked_on' }),
  column.money('amount', 116, 'amount_in_cents', { sortKey: 'amount_in_cents' }),
  column.text('currency', 72, 'currency', hidden),
  column.text('description', 200, 'description', { fillsSpace: true, tone: 'strong' }),
  column.text('reference', 128, 'reference', { tone: 'quiet' }),
  column.text('counterparty', 128, 'counterparty', { tone: 'quiet' }),
  column.text('account', 118, (row) => row.account.name),
  {
    ...column.head('kind', 100, hidden),
    cell: (row) => text.kinds[row.kind],
    copy: (row) => ({ text: row.kind }),
  },
  column.badge('state', 130, 'state', MatchStateBadge),
  column.money('claimed', 116, 'claimed_in_cents', hidden),
  column.money('fee', 116, 'fee_in_cents', hidden),
  column.money('net', 116, 'net_in_cents', hidden),
  column.date('value', 112, 'value_on', hidden),
  column.text('payout', 140, 'payout_id', { ...hidden, tone: 'quiet' }),
  column.text('bankId', 150, 'bank_id', { ...hidden, tone: 'quiet' }),
  column.text('gateway', 170, 'gateway_transaction_id', { ...hidden, tone: 'quiet' }),
  column.text('file', 160, 'file', hidden),
  column.id('row', 72, 'row', hiddenNumber),
  column.id('id', 80, 'id', hiddenNumber),
];
