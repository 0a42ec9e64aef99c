import type { BankLine, Payment } from '../../../contract/index.ts';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories } from '../../grid/columns/value-columns.tsx';
import { texts } from '../../texts/texts.ts';

const column = createColumnFactories(texts.matching.manual.columns);

/** Returns the part of the amount that no confirmed match uses, in cents. */
const openOf = (row: { amount_in_cents: number; claimed_in_cents: number }): number =>
  row.amount_in_cents - row.claimed_in_cents;

function amount<Row extends { amount_in_cents: number; claimed_in_cents: number }>(): GridColumn<Row> {
  return column.money('amount', 100, openOf);
}

export const unmatchedLineColumns: readonly GridColumn<BankLine>[] = [
  column.date('date', 108, 'booked_on'),
  amount<BankLine>(),
  {
    ...column.head('text', 160),
    fillsSpace: true,
    cell: (row) => (
      <span title={`${row.description} ${row.reference ?? ''}`}>
        {row.description} <span className="grid-quiet">{row.reference}</span>
      </span>
    ),
    copy: (row) => ({ text: `${row.description} ${row.reference ?? ''}`.trim() }),
  },
];

export const unmatchedPaymentColumns: readonly GridColumn<Payment>[] = [
  column.date('date', 108, 'paid_on'),
  amount<Payment>(),
  column.text('customer', 150, 'customer_name', { fillsSpace: true }),
  column.id('statement', 100, 'statement_id'),
];
