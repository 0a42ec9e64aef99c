import type { ReactNode } from 'react';
import { DateTime, Money, NoValue } from '../../controls/values.tsx';
import { formatDate } from '../../texts/moments.ts';
import { formatDecimal } from '../../texts/money.ts';
import { formatCount, formatQuantity } from '../../texts/numbers.ts';
import type { GridColumn } from './columns.ts';

/** Grid column without the functions that render and copy its values. */
type ColumnHead = Omit<GridColumn<never>, 'cell' | 'copy'>;

/** Emphasis of a column's values: `strong` for the name of the row, `quiet` for secondary values. */
interface TonedColumnHead extends ColumnHead {
  readonly tone?: 'strong' | 'quiet';
}

const tonedText = (text: string, tone: TonedColumnHead['tone'], title?: string): ReactNode => (
  <span className={tone && `grid-${tone}`} title={title}>
    {text}
  </span>
);

/** Creates a text column. Values are copied unchanged. The tooltip shows the full text, because cells truncate it. */
export function textColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  read: (row: Row) => string | null,
): GridColumn<Row> {
  return {
    ...head,
    cell: (row) => {
      const text = read(row);
      return text === null || text === '' ? <NoValue /> : tonedText(text, tone, text);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** Creates a column of calendar dates. Dates are copied as YYYY-MM-DD. */
export function dateColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  read: (row: Row) => string | null,
): GridColumn<Row> {
  return {
    ...head,
    cell: (row) => {
      const date = read(row);
      return date === null ? <NoValue /> : tonedText(formatDate(date), tone);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** Creates a column of counts. Counts are copied without thousands separators. */
export function countColumn<Row>(head: ColumnHead, read: (row: Row) => number): GridColumn<Row> {
  return {
    alignEnd: true,
    ...head,
    cell: (row) => formatCount(read(row)),
    copy: (row) => ({ exact: String(read(row)) }),
  };
}

/** Creates a column of component quantities. Quantities are copied exactly. */
export function quantityColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  read: (row: Row) => number | string | null,
): GridColumn<Row> {
  return {
    alignEnd: true,
    ...head,
    cell: (row) => {
      const quantity = read(row);
      return quantity === null ? <NoValue /> : tonedText(formatQuantity(quantity), tone);
    },
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

/**
 * Creates a column of amounts in cents. Amounts are copied as exact decimals. Pass `currencyOf` if the rows have
 * different currencies.
 */
export function moneyColumn<Row>(
  head: ColumnHead,
  read: (row: Row) => number | null,
  currencyOf?: (row: Row) => string,
): GridColumn<Row> {
  return {
    alignEnd: true,
    ...head,
    cell: (row) => <Money cents={read(row)} {...(currencyOf && { currency: currencyOf(row) })} />,
    copy: (row) => {
      const cents = read(row);
      return { exact: cents === null ? '' : formatDecimal(cents) };
    },
  };
}

/** Creates a column of numeric ids. Ids are copied as numbers. */
export function idColumn<Row>(head: ColumnHead, read: (row: Row) => number | null): GridColumn<Row> {
  return {
    ...head,
    cell: (row) => <span className="grid-quiet">{read(row) ?? <NoValue />}</span>,
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

/**
 * Creates a column that shows dates and times in the user's time zone. Values are copied as received from the service.
 */
export function dateTimeColumn<Row>(head: ColumnHead, read: (row: Row) => string | null): GridColumn<Row> {
  return {
    ...head,
    cell: (row) => (
      <span className="grid-quiet">
        <DateTime at={read(row)} />
      </span>
    ),
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}
