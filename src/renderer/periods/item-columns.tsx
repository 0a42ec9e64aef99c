import type { OpenItem } from '../../contract/index.ts';
import { Absent } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { dateColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';

const text = words.periods.items;
const titles = text.columns;

type Said = 'category' | 'owner' | 'explanation';

function said(id: Said, width: number, grows = false): Column<OpenItem> {
  return textColumn({ id, title: titles[id], width, grows }, (row) => row[id]);
}

function day(id: 'expected' | 'cleared', read: (row: OpenItem) => string | null): Column<OpenItem> {
  return dateColumn({ id, title: titles[id], width: 100, hidden: id === 'cleared' }, read);
}

/** Without a currency the items are of several, and each amount names its own. */
export function itemColumns(currency: string | null): readonly Column<OpenItem>[] {
  return [
    textColumn({ id: 'schedule', title: titles.schedule, width: 86, tone: 'quiet' }, (row) => row.schedule),
    textColumn(
      { id: 'text', title: titles.text, width: 180, grows: true, tone: 'strong' },
      (row) => row.text,
    ),
    moneyColumn(
      {
        id: 'amount',
        title: currency === null ? titles.amount : words.statements.withCurrency(titles.amount, currency),
        width: 132,
      },
      (row) => row.amount_in_cents,
      currency === null ? (row) => row.currency : undefined,
    ),
    {
      id: 'age',
      title: titles.age,
      width: 74,
      end: true,
      cell: (row) => text.days(row.age_days),
      copy: (row) => ({ exact: String(row.age_days) }),
    },
    dateColumn({ id: 'dated', title: titles.dated, width: 108, hidden: true }, (row) => row.dated_on),
    said('category', 96),
    said('owner', 80),
    said('explanation', 120, true),
    day('expected', (row) => row.expected_on),
    {
      id: 'carried',
      title: titles.carried,
      width: 124,
      cell: (row) => (row.carried_from === null ? <Absent /> : text.carriedFrom(monthText(row.carried_from))),
      copy: (row) => ({ text: row.carried_from ?? '' }),
    },
    day('cleared', (row) => row.cleared_on),
  ];
}
