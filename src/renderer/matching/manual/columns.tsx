import type { BankLine, Payment } from '../../../contract/index.ts';
import type { GridColumn } from '../../grid/columns/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../../grid/columns/value-columns.tsx';
import { texts } from '../../texts/texts.ts';

const titles = texts.matching.manual.columns;

/** Returns the part of the amount that no confirmed match uses, in cents. */
const openOf = (row: { amount_in_cents: number; claimed_in_cents: number }): number =>
  row.amount_in_cents - row.claimed_in_cents;

function amount<Row extends { amount_in_cents: number; claimed_in_cents: number }>(): GridColumn<Row> {
  return moneyColumn({ id: 'amount', title: titles.amount, width: 100 }, openOf);
}

export const unmatchedLineColumns: readonly GridColumn<BankLine>[] = [
  dateColumn({ id: 'date', title: titles.date, width: 108 }, (row) => row.booked_on),
  amount<BankLine>(),
  {
    id: 'text',
    title: titles.text,
    width: 160,
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
  dateColumn({ id: 'date', title: titles.date, width: 108 }, (row) => row.paid_on),
  amount<Payment>(),
  textColumn(
    { id: 'customer', title: titles.customer, width: 150, fillsSpace: true },
    (row) => row.customer_name,
  ),
  idColumn({ id: 'statement', title: titles.statement, width: 100 }, (row) => row.statement_id),
];
