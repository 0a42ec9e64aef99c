import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { MenuEntry } from '../../controls/menu.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';
import { ROW_HEIGHTS_PX } from '../../theme/theme.ts';
import { DEFAULT_FROZEN_COLUMNS, useUserSettings } from '../../user-settings/user-settings.ts';
import type { CellMenuState } from '../clipboard/cell-context-menu.tsx';
import { createCopyMenuEntries } from '../clipboard/copy-rows.ts';
import { storeColumnLayout } from '../columns/column-chooser.tsx';
import {
  applyColumnLayout,
  type GridColumn,
  getFrozenOffsets,
  getGridTemplateColumns,
  getMinRowWidth,
} from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import type { GridController, GridState, ListPage } from '../state/grid-controller.ts';
import { isRowSelected } from '../state/row-selection.ts';
import { getRowTop, getScrollHeight, type RowRange, type ScrollGeometry } from '../state/scroll-geometry.ts';
import { getGridAriaProps, rowGroupAriaProps } from './grid-aria.ts';
import { GridHeader } from './grid-header.tsx';
import { GridInputHandler, type GridInputProps } from './grid-input.ts';
import { GridRow } from './grid-row.tsx';
import { createGroupReader, findGroupColumn } from './row-groups.ts';
import { RowMenu } from './row-menu.tsx';
import { useGridScroll } from './use-grid-scroll.ts';
import { useHeaderActions } from './use-header-actions.tsx';
import { useTypeAhead } from './use-type-ahead.ts';
import './grid.css';

export type { ListSort } from '../columns/use-list-sort.ts';

export interface GridViewProps<Row, P extends ListPage<Row>> extends GridInputProps<Row, P> {
  readonly name: string;
  readonly label: string;
  readonly menu?: (row: Row, column: GridColumn<Row> | null) => readonly MenuEntry[];
  readonly empty: ReactNode;
  readonly isSelectable?: boolean;
  /** Sentences that state the filter of the list, for example `State: failed`. Exported and printed with the list. */
  readonly filters?: readonly string[];
}

const noFilters: readonly string[] = [];

/** Number of extra rows rendered above and below the visible ones. Chosen by judgment. */
const OVERSCAN_ROWS = 6;

/** Virtualized grid. The grid element keeps the focus, and the active row is its active descendant. */
export function GridView<Row, P extends ListPage<Row>>(props: GridViewProps<Row, P>) {
  const { name, label, grid, isSelectable = true } = props;
  const state = useStore(grid.state);
  const density = useUserSettings((settings) => settings.density);
  const layout = useUserSettings((settings) => settings.columns[name]);
  const columns = useMemo(() => applyColumnLayout(props.columns, layout).shown, [props.columns, layout]);
  const frozen = useMemo(
    () => getFrozenOffsets(columns, layout?.frozen ?? DEFAULT_FROZEN_COLUMNS, isSelectable),
    [columns, layout?.frozen, isSelectable],
  );
  const { sort, filters = noFilters } = props;
  useEffect(() => {
    grid.setShownList({ title: label, columns, filters, sort });
    return () => grid.setShownList(null);
  }, [grid, label, columns, filters, sort]);
  const id = useId();
  const scroll = useGridScroll(grid, state, ROW_HEIGHTS_PX[density]);
  const { geometry, scrollToRow } = scroll;
  const [menu, setMenu] = useState<CellMenuState | null>(null);
  const typeAhead = useTypeAhead(grid, scrollToRow);
  const header = useHeaderActions({ ...props, id, columns, declaredColumns: props.columns, scrollToRow });

  function openMenu(index: number, columnIndex: number | null, at: CellMenuState['at']): void {
    const row = grid.rowAt(index);
    if (row === undefined) return;
    grid.moveToRow(index);
    const column = columnIndex === null ? null : (columns[columnIndex] ?? null);
    const entries = [
      ...(props.menu?.(row, column) ?? []),
      ...createCopyMenuEntries(grid, columns, row, column),
    ];
    setMenu({ at, entries });
  }

  const rowsPerPage = Math.max(1, Math.floor(geometry.viewportHeight / geometry.rowHeight) - 1);
  const { openHeaderMenu, openJump, moveColumn } = header;
  const input = {
    ...props,
    ...{ id, isSelectable, state, columns, rowsPerPage, scrollToRow, typeAhead },
    ...{ openMenu, openHeaderMenu, openJump, moveColumn },
  };
  const { onKeyDown, onClick, onContextMenu, onMouseDown } = new GridInputHandler(input);
  const style = {
    '--columns': getGridTemplateColumns(columns, isSelectable),
    '--row-width': `${getMinRowWidth(columns, isSelectable)}px`,
  } as React.CSSProperties;

  return (
    <div className="grid-frame">
      {state.error && state.phase === 'ready' && <ErrorMessage error={state.error} onRetry={grid.refresh} />}
      <div
        ref={scroll.scrollBox}
        className="grid"
        data-grid={name}
        {...getGridAriaProps({
          id,
          label,
          rows: state.total,
          columns: columns.length,
          busy: state.loading,
          isSelectable,
          active: state.activeIndex,
          activeColumn: state.activeColumn,
        })}
        style={style}
        {...{ onKeyDown, onClick, onContextMenu, onMouseDown }}
        onScroll={scroll.onScroll}
      >
        <GridHeader
          id={id}
          name={name}
          columns={columns}
          declaredColumns={props.columns}
          sort={props.sort}
          activeColumn={state.activeIndex < 0 ? (state.activeColumn ?? 0) : null}
          isSelectable={isSelectable}
          allSelected={state.selection.kind === 'all' && state.selection.except.size === 0}
          frozen={frozen}
          onLayout={(next) => storeColumnLayout(name, next)}
          onMove={moveColumn}
        />
        <GridBody {...{ id, grid, state, columns, isSelectable, geometry, frozen, sort }} scroll={scroll} />
      </div>
      <GridPlaceholder state={state} empty={props.empty} onRetry={grid.refresh} />
      {typeAhead.column && (
        <div className="grid-typed">{texts.grid.find.in(typeAhead.column.title, typeAhead.typed)}</div>
      )}
      {header.overlay}
      {menu && <RowMenu name={name} state={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

interface GridBodyProps<Row, P extends ListPage<Row>> {
  readonly id: string;
  readonly grid: GridController<Row, P>;
  readonly state: GridState<Row, P>;
  readonly columns: readonly GridColumn<Row>[];
  readonly isSelectable: boolean;
  readonly geometry: ScrollGeometry;
  readonly frozen: readonly number[];
  readonly sort: ListSort | undefined;
  readonly scroll: { readonly scrollTop: number; readonly visibleRows: RowRange };
}

/** Renders the visible rows and a few rows above and below them. */
function GridBody<Row, P extends ListPage<Row>>(props: GridBodyProps<Row, P>) {
  const { id, grid, state, columns, isSelectable, geometry, frozen, scroll } = props;
  const { activeIndex, activeColumn, selection } = state;
  const activeRow = grid.activeRow();
  const activeId = activeRow === undefined ? null : grid.idOf(activeRow);
  const groupColumn = findGroupColumn(columns, props.sort);
  const groupPartOf = createGroupReader(grid, groupColumn === null ? undefined : columns[groupColumn]);
  return (
    <div {...rowGroupAriaProps} className="grid-body" style={{ height: getScrollHeight(geometry) }}>
      {renderedRows(scroll.visibleRows, state).map((index) => {
        const row = grid.rowAt(index);
        const selected = row !== undefined && isRowSelected(selection, grid.idOf(row), activeId);
        return (
          <GridRow
            key={index}
            id={id}
            index={index}
            top={getRowTop(geometry, scroll.scrollTop, index)}
            row={row}
            columns={columns}
            isActive={state.hasEntered && index === activeIndex}
            activeColumn={index === activeIndex ? activeColumn : null}
            isSelected={selected}
            isChecked={selected && selection.kind !== 'following'}
            isSelectable={isSelectable}
            frozen={frozen}
            groupColumn={groupColumn}
            groupPart={groupPartOf(index, scroll.visibleRows.first)}
          />
        );
      })}
    </div>
  );
}

interface GridPlaceholderProps {
  readonly state: Pick<GridState<unknown>, 'phase' | 'error' | 'total'>;
  readonly empty: ReactNode;
  readonly onRetry: () => void;
}

/** Placeholder shown instead of rows while the list is opening, if it cannot be opened, or if it is empty. */
function GridPlaceholder({ state, empty, onRetry }: GridPlaceholderProps) {
  const { phase, error, total } = state;
  if (phase === 'ready') return total === 0 ? <div className="grid-empty">{empty}</div> : null;
  if (error) return <ErrorMessage error={error} onRetry={onRetry} />;
  return (
    <div className="grid-skeleton">
      <Skeleton lines={12} />
    </div>
  );
}

/** Returns the indexes of the rows to render, including the active row, which screen readers announce. */
function renderedRows(visible: RowRange, state: Pick<GridState<unknown>, 'total' | 'activeIndex'>): number[] {
  const { total, activeIndex } = state;
  const first = Math.max(0, visible.first - OVERSCAN_ROWS);
  const last = Math.min(total - 1, visible.last + OVERSCAN_ROWS);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
  if (activeIndex >= 0 && activeIndex < total && !rows.includes(activeIndex)) rows.push(activeIndex);
  return rows;
}
