import type { BankLine, Payment } from '../../../contract/index.ts';
import type { Column } from '../../grid/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../../grid/value-columns.tsx';
import { words } from '../../words/words.ts';

const titles = words.matching.hand.columns;

/** What no match claims of it yet. */
const openOf = (row: { amount_in_cents: number; claimed_in_cents: number }): number =>
  row.amount_in_cents - row.claimed_in_cents;

function amount<Row extends { amount_in_cents: number; claimed_in_cents: number }>(): Column<Row> {
  return moneyColumn({ id: 'amount', title: titles.amount, width: 100 }, openOf);
}

export const handLineColumns: readonly Column<BankLine>[] = [
  dateColumn({ id: 'date', title: titles.date, width: 108 }, (row) => row.booked_on),
  amount<BankLine>(),
  {
    id: 'text',
    title: titles.text,
    width: 160,
    grows: true,
    cell: (row) => (
      <span title={`${row.description} ${row.reference ?? ''}`}>
        {row.description} <span className="grid-quiet">{row.reference}</span>
      </span>
    ),
    copy: (row) => ({ text: `${row.description} ${row.reference ?? ''}`.trim() }),
  },
];

export const handPaymentColumns: readonly Column<Payment>[] = [
  dateColumn({ id: 'date', title: titles.date, width: 108 }, (row) => row.paid_on),
  amount<Payment>(),
  textColumn({ id: 'customer', title: titles.customer, width: 150, grows: true }, (row) => row.customer_name),
  idColumn({ id: 'statement', title: titles.statement, width: 100 }, (row) => row.statement_id),
];
