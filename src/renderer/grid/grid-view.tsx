import { type ReactNode, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { MenuEntry } from '../controls/menu.tsx';
import { Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { choose, useChosen } from '../settings/chosen.ts';
import { rowHeights } from '../theme/theme.ts';
import { gridAria, rowGroupAria } from './aria.ts';
import { CellMenu, type CellMenuState } from './cell-menu.tsx';
import { type Column, layoutOf, rowWidth, templateOf } from './columns.ts';
import type { Grid, Page } from './controller.ts';
import { copyEntries } from './copy-rows.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow } from './grid-row.tsx';
import { bodyHeight, type Rows, rowTop } from './pages.ts';
import { pressesOf } from './presses.ts';
import { isSelected } from './selection.ts';
import { useScroll } from './use-scroll.ts';
import type { Sort } from './use-sort.ts';
import './grid.css';

export type { Sort } from './use-sort.ts';

interface GridViewProps<Row, P extends Page<Row>> {
  /** Under this name columns and order are remembered. */
  readonly name: string;
  /** Names the grid for screen readers. */
  readonly label: string;
  readonly grid: Grid<Row, P>;
  readonly columns: readonly Column<Row>[];
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Enter, or a click. */
  readonly onOpen?: (row: Row) => void;
  /** Esc, once nothing is selected. */
  readonly onEscape?: () => void;
  readonly menu?: (row: Row, column: Column<Row> | null) => readonly MenuEntry[];
  readonly empty: ReactNode;
  readonly pickable?: boolean;
  /** A click, or Enter, takes a row in or out and leaves the others as they are. */
  readonly clickPicks?: boolean;
}

const OVERSCAN = 6;

/** The one grid: draws the rows in view of a list of any length. Focus stays on it; the active row is its descendant. */
export function GridView<Row, P extends Page<Row>>(props: GridViewProps<Row, P>) {
  const { name, label, grid, sort, pickable = true } = props;
  const state = useStore(grid.state);
  const density = useChosen((chosen) => chosen.density);
  const layout = useChosen((chosen) => chosen.columns[name]);
  const columns = useMemo(() => layoutOf(props.columns, layout).shown, [props.columns, layout]);
  const id = useId();
  const { box, geometry, scrollTop, inView, onScroll, show } = useScroll(grid, state, rowHeights[density]);
  const [menu, setMenu] = useState<CellMenuState | null>(null);

  function openMenu(index: number, column: number | null, at: CellMenuState['at']): void {
    const row = grid.rowAt(index);
    if (row === undefined) return;
    grid.moveTo(index);
    const over = column === null ? null : (columns[column] ?? null);
    setMenu({ at, entries: [...(props.menu?.(row, over) ?? []), ...copyEntries(grid, columns, row, over)] });
  }

  const perPage = Math.max(1, Math.floor(geometry.viewport / geometry.row) - 1);
  const presses = pressesOf({ ...props, id, pickable, state, columns, perPage, show, openMenu });
  const drawn = drawnRows(inView, state.total);
  // The active row stays in the page while it is out of sight, so that it can be named to screen readers.
  if (state.active >= 0 && state.active < state.total && !drawn.includes(state.active))
    drawn.push(state.active);
  const activeRow = grid.activeRow();
  const activeId = activeRow === undefined ? null : grid.idOf(activeRow);
  const template = templateOf(columns, pickable);
  const style = {
    '--columns': template,
    '--row-width': `${rowWidth(columns, pickable)}px`,
  } as React.CSSProperties;

  return (
    <div className="grid-frame">
      {state.error && state.phase === 'ready' && <ErrorNote error={state.error} onRetry={grid.refresh} />}
      <div
        ref={box}
        className="grid"
        data-grid={name}
        {...gridAria({
          id,
          label,
          rows: state.total,
          columns: columns.length,
          busy: state.loading,
          pickable,
          active: state.active,
          activeColumn: state.column,
        })}
        style={style}
        {...presses}
        onScroll={onScroll}
      >
        <GridHeader
          id={id}
          name={name}
          columns={columns}
          declared={props.columns}
          sort={sort}
          active={state.active < 0 ? (state.column ?? 0) : null}
          pickable={pickable}
          allPicked={state.selection.kind === 'all' && state.selection.except.size === 0}
          onLayout={(next) => choose('columns', { ...useChosen.getState().columns, [name]: next })}
        />
        <div {...rowGroupAria} className="grid-body" style={{ height: bodyHeight(geometry) }}>
          {drawn.map((index) => {
            const row = grid.rowAt(index);
            const selected = row !== undefined && isSelected(state.selection, grid.idOf(row), activeId);
            return (
              <GridRow
                key={index}
                id={id}
                index={index}
                top={rowTop(geometry, scrollTop, index)}
                row={row}
                columns={columns}
                active={state.entered && index === state.active}
                activeColumn={index === state.active ? state.column : null}
                selected={selected}
                picked={selected && state.selection.kind !== 'following'}
                pickable={pickable}
              />
            );
          })}
        </div>
      </div>
      {state.phase === 'first' &&
        (state.error ? (
          <ErrorNote error={state.error} onRetry={grid.refresh} />
        ) : (
          <div className="grid-skeleton">
            <Skeleton lines={12} />
          </div>
        ))}
      {state.phase === 'ready' && state.total === 0 && <div className="grid-empty">{props.empty}</div>}
      {menu && <CellMenu state={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

/** The rows in view and a few around them. */
function drawnRows(inView: Rows, total: number): number[] {
  const first = Math.max(0, inView.first - OVERSCAN);
  const last = Math.min(total - 1, inView.last + OVERSCAN);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
}
