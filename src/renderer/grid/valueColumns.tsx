import { Absent, Moment, Money } from '../controls/Values.tsx';
import { decimalOf } from '../words/money.ts';
import type { Column } from './columns.ts';

/** A column but for how its value is drawn and copied. */
type Head = Omit<Column<never>, 'cell' | 'copy'>;

/** Cents, their currency named elsewhere; copied as an exact decimal. */
export function moneyColumn<Row>(head: Head, read: (row: Row) => number | null): Column<Row> {
  return {
    end: true,
    ...head,
    cell: (row) => <Money cents={read(row)} />,
    copy: (row) => {
      const cents = read(row);
      return { exact: cents === null ? '' : decimalOf(cents) };
    },
  };
}

/** An id or its absence, copied as the number it is. */
export function idColumn<Row>(head: Head, read: (row: Row) => number | null): Column<Row> {
  return {
    ...head,
    cell: (row) => <span className="grid-quiet">{read(row) ?? <Absent />}</span>,
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

/** A moment in the user's zone, copied as it was sent. */
export function momentColumn<Row>(head: Head, read: (row: Row) => string | null): Column<Row> {
  return {
    ...head,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={read(row)} />
      </span>
    ),
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}
