import { DateTime, type DateTimeProps, Money } from '../controls/formatted-values.tsx';
import type { CopyableCell } from '../grid/columns/column-layout.ts';
import type { TableColumn, TableSummaryRow } from '../grid/sortable-table/sortable-table.tsx';
import { formatDateTimeWithOffset } from '../texts/date-times.ts';
import { formatDecimal } from '../texts/money.ts';

/** Creates a table column of amounts in cents. */
export function createAmountColumn<Row>(
  head: Pick<TableColumn<Row>, 'id' | 'title' | 'className'>,
  read: (row: Row) => number | null,
): TableColumn<Row> {
  return {
    ...head,
    alignEnd: true,
    sortValue: read,
    cell: (row) => <Money cents={read(row)} />,
    copy: (row): CopyableCell => {
      const cents = read(row);
      return { exact: cents === null ? '' : formatDecimal(cents) };
    },
  };
}

/** Creates a table column of dates and times, which are copied with their UTC offset. */
export function createTimeColumn<Row>(
  title: string,
  read: (row: Row) => string | null | undefined,
  precision: DateTimeProps['precision'] = 'minute',
): TableColumn<Row> {
  return {
    id: 'at',
    title,
    className: 'sortable-table-time',
    cell: (row) => <DateTime at={read(row) ?? null} precision={precision} />,
    copy: (row) => ({ text: formatDateTimeWithOffset(read(row) ?? '') }),
  };
}

/** Returns the row that shows a balance above or below the transactions. */
export function createBalanceRow(title: string, cents: number): TableSummaryRow {
  return { title, cell: <Money cents={cents} />, copy: { exact: formatDecimal(cents) } };
}
