import { type LucideIcon, SearchX } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { FilterBar, useFilterSentences } from '../../filters/filter-bar.tsx';
import type { FilterField } from '../../filters/filter-field.ts';
import { ColumnChooser } from '../../grid/columns/column-chooser.tsx';
import { useDetailSync } from '../../grid/lists/use-detail-sync.ts';
import type { ListPage } from '../../grid/state/list-reader.ts';
import { GridView, type GridViewProps } from '../../grid/view/grid-view.tsx';
import { ListWithDetail } from '../../layout/screen-layout.tsx';
import type { ListFilters } from '../../navigation/list-filters.ts';
import { navigate, setListFilter, useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { formatMatchingRoute, openMatchingTab } from './matching-route.ts';

interface MatchingListProps<
  L extends 'payments' | 'payouts',
  Row extends { readonly id: number },
  P extends ListPage<Row>,
> extends Pick<GridViewProps<Row, P>, 'grid' | 'columns' | 'sort' | 'onSort'> {
  readonly part: L;
  readonly fields: readonly FilterField<ListFilters[L]>[];
  /** Id of the open record, or null if none is open. */
  readonly id: number | null;
  readonly text: Record<'search' | 'grid' | 'noneTitle' | 'noneText' | 'emptyTitle' | 'emptyText', string>;
  readonly emptyIcon: LucideIcon;
  /** Action to offer if there are no records at all. */
  readonly emptyAction: ReactNode;
  readonly statusBar: ReactNode;
  readonly detail: (id: number) => ReactNode;
  readonly detailWidth: number;
}

/** List on a tab of the matching screen, with its own filter and the open record next to it. */
export function MatchingList<
  L extends 'payments' | 'payouts',
  Row extends { readonly id: number },
  P extends ListPage<Row>,
>(props: MatchingListProps<L, Row, P>) {
  const { part, id, text, grid, columns, sort, onSort, fields } = props;
  const isFiltered = useWindowState((state) => Object.keys(state.filters[part]).length > 0);
  const itemOf = useCallback((row: Row) => formatMatchingRoute({ part, id: row.id }) ?? '', [part]);
  useDetailSync(grid, id !== null, itemOf);
  const filters = useFilterSentences(part, fields);
  const clear = () => setListFilter(part, {});
  const empty = isFiltered ? (
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
      <FilterBar list={part} search={text.search} fields={fields}>
        <ColumnChooser name={part} columns={columns} />
      </FilterBar>
      <ListWithDetail
        name={part}
        width={props.detailWidth}
        list={
          <>
            <GridView
              name={part}
              label={text.grid}
              {...{ grid, columns, sort, empty, filters }}
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
