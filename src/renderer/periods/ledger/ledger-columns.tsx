import { Money } from '../../controls/formatted-values.tsx';
import type { TableColumn } from '../../grid/sortable-table/sortable-table.tsx';

/** Returns a table column that shows a text. */
export const createTextColumn = <Row,>(
  id: string,
  title: string,
  read: (row: Row) => string,
): TableColumn<Row> => ({
  id,
  title,
  sortValue: read,
  cell: read,
  copy: (row) => ({ text: read(row) }),
});

/** Returns a table column that shows an amount in cents, or nothing for 0. */
export const createCentsColumn = <Row extends { readonly currency: string }>(
  id: string,
  title: string,
  read: (row: Row) => number,
): TableColumn<Row> => ({
  id,
  title,
  alignEnd: true,
  sortValue: read,
  cell: (row) => (read(row) === 0 ? null : <Money cents={read(row)} currency={row.currency} />),
  copy: (row) => (read(row) === 0 ? { text: '' } : { exact: (read(row) / 100).toFixed(2) }),
});

/** Returns a table column that shows a count. */
export const createCountColumn = <Row,>(
  id: string,
  title: string,
  read: (row: Row) => number,
): TableColumn<Row> => ({
  id,
  title,
  alignEnd: true,
  sortValue: read,
  cell: read,
  copy: (row) => ({ exact: String(read(row)) }),
});
