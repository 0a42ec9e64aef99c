import { CornerDownRight } from 'lucide-react';
import { useStore } from 'zustand';
import type { BroughtForwardItem } from '../../../contract/index.ts';
import { EmptyState } from '../../controls/empty-state.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { CurrencySums, StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { texts } from '../../texts/texts.ts';
import { openOutstandingItem } from '../shared/open-records.ts';
import { broughtForwardColumns } from './outstanding-item-columns.tsx';

const text = texts.periods.items;
const idOf = (row: BroughtForwardItem) => row.key;

/** Lists the items that were outstanding when the previous period was closed, with their clearing dates. */
export function BroughtForwardGrid({ site, period }: { readonly site: string; readonly period: string }) {
  const grid = usePagedList({
    name: 'carried',
    procedure: 'periods.broughtForward',
    query: { site, period },
    idOf,
  });
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  return (
    <>
      <GridView
        name="period-carried"
        label={text.broughtForwardGrid}
        grid={grid}
        columns={broughtForwardColumns}
        isSelectable={false}
        filters={[texts.periods.exportedPeriod(period)]}
        onOpen={openOutstandingItem}
        empty={
          <EmptyState
            icon={CornerDownRight}
            title={text.nothingCarriedTitle}
            text={text.nothingCarriedText}
          />
        }
      />
      <StatusBar grid={grid} singular={text.one}>
        {sums && <CurrencySums sums={sums} />}
      </StatusBar>
    </>
  );
}
