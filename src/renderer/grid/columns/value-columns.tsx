import type { ReactNode } from 'react';
import { DateTime, type DateTimeProps, MissingValue, Money } from '../../controls/formatted-values.tsx';
import type { StatusBadge } from '../../controls/status-label.tsx';
import { formatDate, formatDateTimeWithOffset } from '../../texts/date-times.ts';
import { formatDecimal } from '../../texts/money.ts';
import { formatCount, formatQuantity } from '../../texts/numbers.ts';
import type { GridColumn } from './column-layout.ts';

/** Properties of a grid column other than the functions that render and copy its values. */
type ColumnHead = Omit<GridColumn<never>, 'cell' | 'copy'>;

/** Function that reads a row's value, or the name of the field that holds it. */
type ValueReader<Row, Value> =
  | ((row: Row) => Value)
  | { [Name in keyof Row]-?: Row[Name] extends Value ? Name : never }[keyof Row];

function toFunction<Row, Value>(read: ValueReader<Row, Value>): (row: Row) => Value {
  return typeof read === 'function' ? read : (row) => row[read as keyof Row] as Value;
}

/** Returns a function that creates column heads. The id of a column is also the key of its title. */
export function createColumnHeadFactory<Id extends string>(titles: Readonly<Record<Id, string>>) {
  return <More extends object>(id: Id, width: number, more?: More) =>
    ({ id, title: titles[id], width, ...more }) as ColumnHead & More;
}

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
export function createTextColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  value: ValueReader<Row, string | null>,
): GridColumn<Row> {
  const read = toFunction(value);
  return {
    ...head,
    cell: (row) => {
      const text = read(row);
      return text === null || text === '' ? <MissingValue /> : tonedText(text, tone, text);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** Creates a column of calendar dates. Dates are copied as YYYY-MM-DD. */
export function createDateColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  value: ValueReader<Row, string | null>,
): GridColumn<Row> {
  const read = toFunction(value);
  return {
    ...head,
    cell: (row) => {
      const date = read(row);
      return date === null ? <MissingValue /> : tonedText(formatDate(date), tone);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
    dayOf: read,
  };
}

/** Creates a column of counts. Counts are copied without thousands separators. */
export function createCountColumn<Row>(head: ColumnHead, value: ValueReader<Row, number>): GridColumn<Row> {
  const read = toFunction(value);
  return {
    alignEnd: true,
    ...head,
    cell: (row) => formatCount(read(row)),
    copy: (row) => ({ exact: String(read(row)) }),
  };
}

/** Creates a column of component quantities. Quantities are copied exactly. */
export function createQuantityColumn<Row>(
  { tone, ...head }: TonedColumnHead,
  value: ValueReader<Row, number | string | null>,
): GridColumn<Row> {
  const read = toFunction(value);
  return {
    alignEnd: true,
    ...head,
    cell: (row) => {
      const quantity = read(row);
      return quantity === null ? <MissingValue /> : tonedText(formatQuantity(quantity), tone);
    },
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

/** Creates a column of amounts in cents, copied as exact decimals. Set `currencyOf` if the rows differ in currency. */
export function createMoneyColumn<Row>(
  head: ColumnHead,
  value: ValueReader<Row, number | null>,
  currencyOf?: (row: Row) => string,
): GridColumn<Row> {
  const read = toFunction(value);
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
export function createIdColumn<Row>(
  head: ColumnHead,
  value: ValueReader<Row, number | null>,
): GridColumn<Row> {
  const read = toFunction(value);
  return {
    ...head,
    cell: (row) => <span className="grid-quiet">{read(row) ?? <MissingValue />}</span>,
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

interface DateTimeColumnHead extends ColumnHead, Pick<DateTimeProps, 'precision'> {
  /** True to show the times as prominently as the row's other values. */
  readonly isPlain?: boolean;
}

/** Creates a column of dates and times in the display zone. Values are copied with their UTC offset. */
export function createDateTimeColumn<Row>(
  { isPlain = false, precision = 'minute', ...head }: DateTimeColumnHead,
  value: ValueReader<Row, string | null>,
): GridColumn<Row> {
  const show = (row: Row) => <DateTime at={read(row)} precision={precision} />;
  const read = toFunction(value);
  return {
    ...head,
    cell: isPlain ? show : (row) => <span className="grid-quiet">{show(row)}</span>,
    copy: (row) => ({ text: formatDateTimeWithOffset(read(row) ?? '') }),
    dayOf: (row) => formatDateTimeWithOffset(read(row) ?? '').slice(0, 10) || null,
  };
}

/** Creates a column of statuses. Their labels are copied. */
export function createBadgeColumn<Row, S extends string>(
  head: ColumnHead,
  Badge: StatusBadge<S>,
  value: ValueReader<Row, S>,
): GridColumn<Row> {
  const read = toFunction(value);
  return {
    ...head,
    cell: (row) => <Badge status={read(row)} />,
    copy: (row) => ({ text: Badge.labels[read(row)] }),
  };
}

type More<Head> = Omit<Head, 'id' | 'title' | 'width'>;

/** Returns functions that create the columns of a list. A column's id is also the key of its title. */
export function createColumnFactories<Id extends string>(titles: Readonly<Record<Id, string>>) {
  const head = createColumnHeadFactory(titles);
  return {
    head,
    text: <Row,>(
      id: Id,
      width: number,
      read: ValueReader<Row, string | null>,
      more?: More<TonedColumnHead>,
    ) => createTextColumn(head(id, width, more), read),
    date: <Row,>(
      id: Id,
      width: number,
      read: ValueReader<Row, string | null>,
      more?: More<TonedColumnHead>,
    ) => createDateColumn(head(id, width, more), read),
    dateTime: <Row,>(
      id: Id,
      width: number,
      read: ValueReader<Row, string | null>,
      more?: More<DateTimeColumnHead>,
    ) => createDateTimeColumn(head(id, width, more), read),
    count: <Row,>(id: Id, width: number, read: ValueReader<Row, number>, more?: More<ColumnHead>) =>
      createCountColumn(head(id, width, more), read),
    money: <Row,>(id: Id, width: number, read: ValueReader<Row, number | null>, more?: More<ColumnHead>) =>
      createMoneyColumn(head(id, width, more), read),
    id: <Row,>(id: Id, width: number, read: ValueReader<Row, number | null>, more?: More<ColumnHead>) =>
      createIdColumn(head(id, width, more), read),
    quantity: <Row,>(
      id: Id,
      width: number,
      read: ValueReader<Row, number | string | null>,
      more?: More<TonedColumnHead>,
    ) => createQuantityColumn(head(id, width, more), read),
    badge: <Row, S extends string>(id: Id, width: number, read: ValueReader<Row, S>, Badge: StatusBadge<S>) =>
      createBadgeColumn(head(id, width), Badge, read),
  };
}
