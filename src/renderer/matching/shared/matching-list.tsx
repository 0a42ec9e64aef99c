import { type LucideIcon, SearchX } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { create } from 'zustand';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { FilterPillBar, type FilterPillBarProps } from '../../filters/filter-bar.tsx';
import { ColumnChooser } from '../../grid/columns/column-chooser.tsx';
import { useDetailSync } from '../../grid/lists/use-detail-sync.ts';
import type { ListPage } from '../../grid/state/list-reader.ts';
import { GridView, type GridViewProps } from '../../grid/view/grid-view.tsx';
import { ListWithDetail } from '../../layout/screen-layout.tsx';
import { navigate } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { formatMatchingRoute, openMatchingTab } from './matching-route.ts';

/** Creates the store of a list's filter. The filter is preserved when the user visits other screens. */
export function createFilterStore<F extends object>() {
  const useFilter = create<F>(() => ({}) as F);
  const setFilter = (filter: F) => {
    const set = Object.entries(filter).filter(([, value]) => value !== undefined);
    useFilter.setState(Object.fromEntries(set) as F, true);
  };
  return { useFilter, setFilter };
}

interface MatchingListProps<Row extends { readonly id: number }, P extends ListPage<Row>, F>
  extends Pick<GridViewProps<Row, P>, 'grid' | 'columns' | 'sort' | 'onSort'>,
    Pick<FilterPillBarProps<F>, 'filter' | 'fields'> {
  readonly part: 'payments' | 'payouts';
  /** Id of the open record, or null if none is open. */
  readonly id: number | null;
  readonly text: Record<'search' | 'grid' | 'noneTitle' | 'noneText' | 'emptyTitle' | 'emptyText', string>;
  readonly onFilter: (filter: F) => void;
  readonly emptyIcon: LucideIcon;
  /** Action to offer if there are no records at all. */
  readonly emptyAction: ReactNode;
  /** Status bar below the list. */
  readonly statusBar: ReactNode;
  readonly detail: (id: number) => ReactNode;
  readonly detailWidth: number;
}

/** List on a tab of the matching screen, with its own filter and the open record next to it. */
export function MatchingList<
  Row extends { readonly id: number },
  P extends ListPage<Row>,
  F extends { readonly search?: string | undefined },
>(props: MatchingListProps<Row, P, F>) {
  const { part, id, text, grid, columns, sort, onSort, filter, fields, onFilter } = props;
  const itemOf = useCallback((row: Row) => formatMatchingRoute({ part, id: row.id }) ?? '', [part]);
  useDetailSync(grid, id !== null, itemOf);
  const clear = () => onFilter({} as F);
  const empty =
    Object.keys(filter).length > 0 ? (
      <EmptyState
        icon={SearchX}
        title={text.noneTitle}
        action={<Button onPress={clear}>{texts.filters.clear}</Button>}
        text={text.noneText}
      />
    ) : (
      <EmptyState
        icon={props.emptyIcon}
        title={text.emptyTitle}
        action={props.emptyAction}
        text={text.emptyText}
      />
    );
  return (
    <>
      <FilterPillBar search={text.search} {...{ filter, fields }} onChange={onFilter} onClear={clear}>
        <ColumnChooser name={part} columns={columns} />
      </FilterPillBar>
      <ListWithDetail
        name={part}
        width={props.detailWidth}
        list={
          <>
            <GridView
              name={part}
              label={text.grid}
              {...{ grid, columns, sort, empty }}
              {...(onSort && { onSort })}
              isSelectable={false}
              onOpen={(row) => navigate({ item: itemOf(row) }, id !== null)}
              onEscape={() => openMatchingTab(part)}
            />
            {props.statusBar}
          </>
        }
        detail={id === null ? null : props.detail(id)}
      />
    </>
  );
}
