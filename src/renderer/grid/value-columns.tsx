import type { ReactNode } from 'react';
import { Absent, Moment, Money } from '../controls/values.tsx';
import { dateText } from '../words/moments.ts';
import { decimalOf } from '../words/money.ts';
import { countText, quantityText } from '../words/numbers.ts';
import type { Column } from './columns.ts';

/** A column but for how its value is drawn and copied. */
type Head = Omit<Column<never>, 'cell' | 'copy'>;

/** How loudly a value is said: the row's name is strong, what merely goes with it quiet. */
interface TonedHead extends Head {
  readonly tone?: 'strong' | 'quiet';
}

const toned = (text: string, tone: TonedHead['tone'], title?: string): ReactNode => (
  <span className={tone && `grid-${tone}`} title={title}>
    {text}
  </span>
);

/** A text or its absence, copied as it is; whole on hover, as cells cut it. */
export function textColumn<Row>(
  { tone, ...head }: TonedHead,
  read: (row: Row) => string | null,
): Column<Row> {
  return {
    ...head,
    cell: (row) => {
      const text = read(row);
      return text === null || text === '' ? <Absent /> : toned(text, tone, text);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** A calendar date or its absence, copied as `2026-10-07`. */
export function dateColumn<Row>(
  { tone, ...head }: TonedHead,
  read: (row: Row) => string | null,
): Column<Row> {
  return {
    ...head,
    cell: (row) => {
      const date = read(row);
      return date === null ? <Absent /> : toned(dateText(date), tone);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** How many, copied without the marks between its thousands. */
export function countColumn<Row>(head: Head, read: (row: Row) => number): Column<Row> {
  return {
    end: true,
    ...head,
    cell: (row) => countText(read(row)),
    copy: (row) => ({ exact: String(read(row)) }),
  };
}

/** A component's quantity or its absence, copied exactly. */
export function quantityColumn<Row>(
  { tone, ...head }: TonedHead,
  read: (row: Row) => number | string | null,
): Column<Row> {
  return {
    end: true,
    ...head,
    cell: (row) => {
      const quantity = read(row);
      return quantity === null ? <Absent /> : toned(quantityText(quantity), tone);
    },
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

/** Cents, copied as an exact decimal; their currency is named elsewhere, unless `currencyOf` says each row's own. */
export function moneyColumn<Row>(
  head: Head,
  read: (row: Row) => number | null,
  currencyOf?: (row: Row) => string,
): Column<Row> {
  return {
    end: true,
    ...head,
    cell: (row) => <Money cents={read(row)} {...(currencyOf && { currency: currencyOf(row) })} />,
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
