import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { FilterBar, useFilterSentences } from '../filters/filter-bar.tsx';
import type { FilterField } from '../filters/filter-field.ts';
import { ColumnChooser } from '../grid/columns/column-chooser.tsx';
import type { ListPage } from '../grid/state/grid-controller.ts';
import type { SummableAmount } from '../grid/summary/currency-sums.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView, type GridViewProps } from '../grid/view/grid-view.tsx';
import { ListWithDetail, ScreenLayout, type ScreenProps } from '../layout/screen-layout.tsx';
import type { FilterableScreen, ListFilters } from '../navigation/list-filters.ts';
import { navigate, setListFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import type { ScreenList } from './use-screen-list.ts';

interface ListPaneProps<S extends FilterableScreen, Row, P extends ListPage<Row>>
  extends Pick<GridViewProps<Row, P>, 'columns' | 'label' | 'menu' | 'empty'> {
  /** Screen whose filter applies to the list. Its name also identifies the stored columns and detail width. */
  readonly screen: S;
  readonly list: ScreenList<Row, P>;
  readonly searchLabel: string;
  readonly fields: readonly FilterField<ListFilters[S]>[];
  /** Content shown between the filter bar and the list. */
  readonly banner?: ReactNode;
  /** Called before a row is opened with Enter or a click. */
  readonly onOpen?: (row: Row) => void;
  /** Singular noun for a row in the status bar, for example `webhook`. */
  readonly singular: string;
  readonly plural?: string;
  readonly figures?: readonly SummableAmount<Row>[];
  /** Additional content of the status bar, for example totals. */
  readonly statusBar?: ReactNode;
  readonly detail: ReactNode | null;
  readonly detailWidth: number;
}

/** Filter bar, list with a status bar, and the open detail next to the list. */
export function ListPane<S extends FilterableScreen, Row, P extends ListPage<Row>>(
  props: ListPaneProps<S, Row, P>,
) {
  const { screen, list, columns, label, menu, empty, singular, plural, figures } = props;
  const { grid, sort, onSort, itemOf, isDetailOpen } = list;
  const filters = useFilterSentences(screen, props.fields);
  return (
    <>
      <FilterBar list={screen} search={props.searchLabel} fields={props.fields}>
        <ColumnChooser name={screen} columns={columns} />
      </FilterBar>
      {props.banner}
      <ListWithDetail
        name={screen}
        width={props.detailWidth}
        list={
          <>
            <GridView
              name={screen}
              {...{ label, grid, columns, sort, onSort, empty, filters }}
              {...(menu && { menu })}
              onOpen={(row) => {
                props.onOpen?.(row);
                navigate({ item: itemOf(row) }, isDetailOpen);
              }}
              onEscape={() => navigate({ item: null })}
            />
            <StatusBar
              grid={grid}
              singular={singular}
              {...(plural !== undefined && { plural })}
              {...(figures && { figures })}
            >
              {props.statusBar}
            </StatusBar>
          </>
        }
        detail={props.detail}
      />
    </>
  );
}

interface ListScreenProps<S extends FilterableScreen, Row, P extends ListPage<Row>>
  extends ListPaneProps<S, Row, P>,
    Pick<ScreenProps, 'title' | 'actions'> {
  readonly header?: ReactNode;
}

/** Screen with a filtered list and a detail pane. */
export function ListScreen<S extends FilterableScreen, Row, P extends ListPage<Row>>(
  props: ListScreenProps<S, Row, P>,
) {
  const { title, actions, header, ...pane } = props;
  return (
    <ScreenLayout title={title} actions={actions}>
      {header}
      <ListPane {...(pane as unknown as ListPaneProps<S, Row, P>)} />
    </ScreenLayout>
  );
}

interface ListEmptyStateProps {
  readonly screen: FilterableScreen;
  readonly icon: LucideIcon;
  /** Texts shown if no record matches the filter (`none`) and if there are no records at all (`empty`). */
  readonly text: {
    readonly noneTitle: string;
    readonly noneText: string;
    readonly emptyTitle: string;
    readonly emptyText: string;
  };
  /** Text about records that the search has not covered yet, or null if the search covered all of them. */
  readonly unsearched?: string | null;
  /** Action to offer if there are no records at all. By default, the action is to start a sync. */
  readonly action?: ReactNode;
}

/** Message shown for an empty list. The message offers to clear the filter, or to load records if no filter is set. */
export function ListEmptyState(props: ListEmptyStateProps) {
  const { screen, icon, text, unsearched = null } = props;
  const isFiltered = useWindowState((state) => Object.keys(state.filters[screen]).length > 0);
  if (!isFiltered) {
    const action = props.action ?? <CommandButton id="sync.start" kind="primary" />;
    return <EmptyState icon={icon} title={text.emptyTitle} action={action} text={text.emptyText} />;
  }
  return (
    <EmptyState
      icon={icon}
      title={unsearched ? texts.filters.unsearched.noneTitle : text.noneTitle}
      action={<Button onPress={() => setListFilter(screen, {})}>{texts.filters.clear}</Button>}
      text={unsearched ?? text.noneText}
    />
  );
}
