import type { OpenItem } from '../../../contract/index.ts';
import { NoValue } from '../../controls/values.tsx';
import type { GridColumn } from '../../grid/columns/columns.ts';
import { dateColumn, moneyColumn, textColumn } from '../../grid/columns/value-columns.tsx';
import { formatMonth } from '../../texts/moments.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.items;
const titles = text.columns;

type ExplanationField = 'category' | 'owner' | 'explanation';

function explanationColumn(id: ExplanationField, width: number, fillsSpace = false): GridColumn<OpenItem> {
  return textColumn({ id, title: titles[id], width, fillsSpace }, (row) => row[id]);
}

function dayColumn(id: 'expected' | 'cleared', read: (row: OpenItem) => string | null): GridColumn<OpenItem> {
  return dateColumn({ id, title: titles[id], width: 100, isHiddenByDefault: id === 'cleared' }, read);
}

/**
 * Returns the columns for outstanding items. If the currency is null, the items have several currencies, and each amount
 * shows its own.
 */
export function outstandingItemColumns(currency: string | null): readonly GridColumn<OpenItem>[] {
  return [
    textColumn({ id: 'schedule', title: titles.schedule, width: 86, tone: 'quiet' }, (row) => row.schedule),
    textColumn(
      { id: 'text', title: titles.text, width: 180, fillsSpace: true, tone: 'strong' },
      (row) => row.text,
    ),
    moneyColumn(
      {
        id: 'amount',
        title: currency === null ? titles.amount : texts.statements.withCurrency(titles.amount, currency),
        width: 132,
      },
      (row) => row.amount_in_cents,
      currency === null ? (row) => row.currency : undefined,
    ),
    {
      id: 'age',
      title: titles.age,
      width: 74,
      alignEnd: true,
      cell: (row) => text.days(row.age_days),
      copy: (row) => ({ exact: String(row.age_days) }),
    },
    dateColumn(
      { id: 'dated', title: titles.dated, width: 108, isHiddenByDefault: true },
      (row) => row.dated_on,
    ),
    explanationColumn('category', 96),
    explanationColumn('owner', 80),
    explanationColumn('explanation', 120, true),
    dayColumn('expected', (row) => row.expected_on),
    {
      id: 'carried',
      title: titles.carried,
      width: 124,
      cell: (row) =>
        row.brought_forward_from === null ? (
          <NoValue />
        ) : (
          text.carriedFrom(formatMonth(row.brought_forward_from))
        ),
      copy: (row) => ({ text: row.brought_forward_from ?? '' }),
    },
    dayColumn('cleared', (row) => row.cleared_on),
  ];
}
