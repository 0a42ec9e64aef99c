import type { OpenItem } from '../../contract/index.ts';
import { Absent, Money } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import { moneyColumn } from '../grid/valueColumns.tsx';
import { dateText, monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';

const text = words.periods.items;
const titles = text.columns;

type Said = 'category' | 'owner' | 'explanation';

function said(id: Said, width: number, grows = false): Column<OpenItem> {
  return {
    id,
    title: titles[id],
    width,
    grows,
    cell: (row) => (row[id] === null ? <Absent /> : <span title={row[id]}>{row[id]}</span>),
    copy: (row) => ({ text: row[id] ?? '' }),
  };
}

function day(id: 'expected' | 'cleared', read: (row: OpenItem) => string | null): Column<OpenItem> {
  return {
    id,
    title: titles[id],
    width: 100,
    hidden: id === 'cleared',
    cell: (row) => {
      const date = read(row);
      return date === null ? <Absent /> : dateText(date);
    },
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

/** `many`: items of several currencies, so that each amount names its own. */
export function itemColumns(many: boolean): readonly Column<OpenItem>[] {
  return [
    {
      id: 'schedule',
      title: titles.schedule,
      width: 64,
      cell: (row) => <span className="grid-quiet">{row.schedule}</span>,
      copy: (row) => ({ text: row.schedule }),
    },
    {
      id: 'text',
      title: titles.text,
      width: 180,
      grows: true,
      cell: (row) => (
        <span className="grid-strong" title={row.text}>
          {row.text}
        </span>
      ),
      copy: (row) => ({ text: row.text }),
    },
    {
      ...moneyColumn<OpenItem>(
        { id: 'amount', title: titles.amount, width: 104 },
        (row) => row.amount_in_cents,
      ),
      ...(many && { cell: (row: OpenItem) => <Money cents={row.amount_in_cents} currency={row.currency} /> }),
    },
    {
      id: 'age',
      title: titles.age,
      width: 74,
      end: true,
      cell: (row) => text.days(row.age_days),
      copy: (row) => ({ exact: String(row.age_days) }),
    },
    {
      id: 'dated',
      title: titles.dated,
      width: 108,
      hidden: true,
      cell: (row) => dateText(row.dated_on),
      copy: (row) => ({ text: row.dated_on }),
    },
    said('category', 104),
    said('owner', 88),
    said('explanation', 150, true),
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
