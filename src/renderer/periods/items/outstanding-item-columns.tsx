import type { BroughtForwardItem, OutstandingItem } from '../../../contract/index.ts';
import { MissingValue } from '../../controls/formatted-values.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories, createMoneyColumn } from '../../grid/columns/value-columns.tsx';
import { formatDate, formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.items;
const titles = text.columns;
const column = createColumnFactories(titles);

const ageColumn = <Row extends { readonly age_days: number }>(width: number): GridColumn<Row> => ({
  ...column.head('age', width),
  alignEnd: true,
  cell: (row) => text.days(row.age_days),
  copy: (row) => ({ exact: String(row.age_days) }),
});

/** Creates the column of the month from which items were brought forward. */
const carriedColumn = <Row extends Pick<OutstandingItem, 'brought_forward_from'>>(
  width: number,
): GridColumn<Row> => ({
  ...column.head('carried', width),
  cell: ({ brought_forward_from: month }) =>
    month === null ? <MissingValue /> : text.carriedFrom(formatMonth(month)),
  copy: (row) => ({ text: row.brought_forward_from ?? '' }),
});

/** Returns the columns for outstanding items. If the currency is null, each amount shows its own currency. */
export function createOutstandingItemColumns(
  currency: string | null,
): readonly GridColumn<OutstandingItem>[] {
  const amountTitle =
    currency === null ? titles.amount : texts.statements.withCurrency(titles.amount, currency);
  return [
    column.text('schedule', 86, 'schedule', { tone: 'quiet' }),
    column.text('text', 180, 'text', { fillsSpace: true, tone: 'strong' }),
    createMoneyColumn(
      { id: 'amount', title: amountTitle, width: 132 },
      'amount_in_cents',
      currency === null ? (row) => row.currency : undefined,
    ),
    ageColumn(74),
    column.date('dated', 108, 'dated_on', { startsHidden: true }),
    column.text('category', 96, 'category'),
    column.text('owner', 80, 'owner'),
    column.text('explanation', 120, 'explanation', { fillsSpace: true }),
    column.date('expected', 100, 'expected_on'),
    carriedColumn(124),
    column.date('cleared', 100, 'cleared_on', { startsHidden: true }),
  ];
}

export const broughtForwardColumns: readonly GridColumn<BroughtForwardItem>[] = [
  column.text('text', 200, 'text', { fillsSpace: true, tone: 'strong' }),
  createMoneyColumn(
    { id: 'amount', title: titles.atClose, width: 124 },
    'amount_in_cents',
    (row) => row.currency,
  ),
  ageColumn(78),
  carriedColumn(132),
  column.text('owner', 100, (row) => row.current?.owner ?? null),
  column.text('explanation', 160, (row) => row.current?.explanation ?? row.current?.category ?? null, {
    fillsSpace: true,
  }),
  {
    ...column.head('cleared', 116),
    cell: (row) => (row.cleared === null ? text.notCleared : formatDate(row.cleared.on)),
    copy: (row) => ({ text: row.cleared?.on ?? '' }),
  },
];
