import { CornerDownRight } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { CarriedItem } from '../../contract/index.ts';
import { Empty } from '../controls/pieces.tsx';
import { Absent } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { SumsText } from '../grid/sums-text.tsx';
import { useList } from '../grid/use-list.ts';
import { moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { dateText, monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { openItem } from './open-item.ts';

const text = words.periods.items;
const idOf = (row: CarriedItem) => row.key;

/** What was outstanding when the period before was closed, and what became of it since. */
export function CarriedGrid({ site, period }: { readonly site: string; readonly period: string }) {
  const grid = useList({ name: 'carried', list: 'periods.carried', selection: { site, period }, idOf });
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  const columns = useMemo(() => carriedColumns(), []);
  return (
    <>
      <GridView
        name="period-carried"
        label={text.carriedGrid}
        grid={grid}
        columns={columns}
        pickable={false}
        onOpen={openItem}
        empty={
          <Empty icon={CornerDownRight} title={text.nothingCarriedTitle}>
            {text.nothingCarriedText}
          </Empty>
        }
      />
      <StatusBar grid={grid} one={text.one}>
        {sums && <SumsText sums={sums} />}
      </StatusBar>
    </>
  );
}

function carriedColumns(): readonly Column<CarriedItem>[] {
  const titles = text.columns;
  return [
    textColumn(
      { id: 'text', title: titles.text, width: 200, grows: true, tone: 'strong' },
      (row) => row.text,
    ),
    moneyColumn(
      { id: 'amount', title: titles.atClose, width: 124 },
      (row) => row.amount_in_cents,
      (row) => row.currency,
    ),
    {
      id: 'age',
      title: titles.age,
      width: 78,
      end: true,
      cell: (row) => text.days(row.age_days),
      copy: (row) => ({ exact: String(row.age_days) }),
    },
    {
      id: 'carried',
      title: titles.carried,
      width: 132,
      cell: (row) => (row.carried_from === null ? <Absent /> : text.carriedFrom(monthText(row.carried_from))),
      copy: (row) => ({ text: row.carried_from ?? '' }),
    },
    textColumn({ id: 'owner', title: titles.owner, width: 100 }, (row) => row.said?.owner ?? null),
    textColumn(
      { id: 'explanation', title: titles.explanation, width: 160, grows: true },
      (row) => row.said?.explanation ?? row.said?.category ?? null,
    ),
    {
      id: 'cleared',
      title: titles.cleared,
      width: 116,
      cell: (row) => (row.cleared === null ? text.stillOpen : dateText(row.cleared.on)),
      copy: (row) => ({ text: row.cleared?.on ?? '' }),
    },
  ];
}
