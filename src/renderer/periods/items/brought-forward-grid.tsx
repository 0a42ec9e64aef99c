import { CornerDownRight } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { BroughtForwardItem } from '../../../contract/index.ts';
import { EmptyState } from '../../controls/empty-state.tsx';
import { NoValue } from '../../controls/values.tsx';
import type { GridColumn } from '../../grid/columns/columns.ts';
import { moneyColumn, textColumn } from '../../grid/columns/value-columns.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { CurrencySums } from '../../grid/summary/currency-sums.tsx';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { formatDate, formatMonth } from '../../texts/moments.ts';
import { texts } from '../../texts/texts.ts';
import { openOutstandingItem } from './open-item.ts';

const text = texts.periods.items;
const idOf = (row: BroughtForwardItem) => row.key;

/** Lists the items that were outstanding when the previous period was closed, and the date on which each one cleared. */
export function BroughtForwardGrid({ site, period }: { readonly site: string; readonly period: string }) {
  const grid = usePagedList({
    name: 'carried',
    procedure: 'periods.broughtForward',
    query: { site, period },
    idOf,
  });
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  const columns = useMemo(() => broughtForwardColumns(), []);
  return (
    <>
      <GridView
        name="period-carried"
        label={text.broughtForwardGrid}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={openOutstandingItem}
        empty={
          <EmptyState icon={CornerDownRight} title={text.nothingCarriedTitle}>
            {text.nothingCarriedText}
          </EmptyState>
        }
      />
      <StatusBar grid={grid} singular={text.one}>
        {sums && <CurrencySums sums={sums} />}
      </StatusBar>
    </>
  );
}

function broughtForwardColumns(): readonly GridColumn<BroughtForwardItem>[] {
  const titles = text.columns;
  return [
    textColumn(
      { id: 'text', title: titles.text, width: 200, fillsSpace: true, tone: 'strong' },
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
      alignEnd: true,
      cell: (row) => text.days(row.age_days),
      copy: (row) => ({ exact: String(row.age_days) }),
    },
    {
      id: 'carried',
      title: titles.carried,
      width: 132,
      cell: (row) =>
        row.brought_forward_from === null ? (
          <NoValue />
        ) : (
          text.carriedFrom(formatMonth(row.brought_forward_from))
        ),
      copy: (row) => ({ text: row.brought_forward_from ?? '' }),
    },
    textColumn({ id: 'owner', title: titles.owner, width: 100 }, (row) => row.current?.owner ?? null),
    textColumn(
      { id: 'explanation', title: titles.explanation, width: 160, fillsSpace: true },
      (row) => row.current?.explanation ?? row.current?.category ?? null,
    ),
    {
      id: 'cleared',
      title: titles.cleared,
      width: 116,
      cell: (row) => (row.cleared === null ? text.notCleared : formatDate(row.cleared.on)),
      copy: (row) => ({ text: row.cleared?.on ?? '' }),
    },
  ];
}
