import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { MenuEntry } from '../controls/Menu.tsx';
import { Skeleton } from '../controls/Pieces.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { choose, useChosen } from '../settings/chosen.ts';
import { rowHeights } from '../theme/theme.ts';
import { notify, say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { gridAria, pressedAt, rowDomId, rowGroupAria } from './aria.ts';
import { CellMenu, type CellMenuState } from './CellMenu.tsx';
import { type Column, layoutOf, rowWidth, templateOf } from './columns.ts';
import type { Grid, Page } from './controller.ts';
import { tsvOf } from './copy.ts';
import { GridHeader } from './GridHeader.tsx';
import { GridRow } from './GridRow.tsx';
import { gridAction } from './keys.ts';
import { bodyHeight, type Geometry, rowsInView, rowTop, scrollShifted, scrollToShow } from './pages.ts';
import './grid.css';

export interface Sort {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

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
}

const HEADER = 32;
const MOST_COPIED = 100_000;
const OVERSCAN = 6;

/** The one grid: draws the rows in view of a list of any length. Focus stays on it; the active row is its descendant. */
export function GridView<Row, P extends Page<Row>>(props: GridViewProps<Row, P>) {
  const { name, label, grid, sort, onSort, onOpen, onEscape, pickable = true } = props;
  const state = useStore(grid.state);
  const density = useChosen((chosen) => chosen.density);
  const layout = useChosen((chosen) => chosen.columns[name]);
  const columns = useMemo(() => layoutOf(props.columns, layout).shown, [props.columns, layout]);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewport, setViewport] = useState(600);
  const [menu, setMenu] = useState<CellMenuState | null>(null);

  const geometry: Geometry = {
    total: state.total,
    row: rowHeights[density],
    viewport: Math.max(rowHeights[density], viewport - HEADER),
  };
  const inView = rowsInView(geometry, scrollTop);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setViewport(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // After each drawing: pages that came into view are read, cheaply when there are none.
  useEffect(() => grid.view(inView));

  const followed = useRef({ lists: 0, shifts: 0 });
  useLayoutEffect(() => {
    const { lists, shifts } = followed.current;
    followed.current = { lists: state.lists, shifts: state.shifted.serial };
    if (lists !== state.lists) scrollTo(0);
    else if (shifts !== state.shifted.serial) {
      scrollTo(scrollShifted(geometry, box.current?.scrollTop ?? 0, state.shifted.rows));
    }
  });

  function scrollTo(to: number): void {
    if (!box.current || to === box.current.scrollTop) return;
    box.current.scrollTop = to;
    setScrollTop(box.current.scrollTop);
  }

  function show(index: number): void {
    if (index >= 0) scrollTo(scrollToShow(geometry, box.current?.scrollTop ?? 0, index));
  }

  function moveTo(index: number, extend: boolean): void {
    const to = Math.max(0, Math.min(state.total - 1, index));
    if (extend && pickable) void grid.extendTo(to);
    else grid.moveTo(to);
    show(to);
  }

  async function copy(): Promise<void> {
    const picked = await grid.selectedRows(MOST_COPIED);
    const head = columns.map((column) => ({ text: column.title }));
    const lines = picked.map((row) => columns.map((column) => column.copy(row)));
    await navigator.clipboard.writeText(tsvOf(picked.length > 1 ? [head, ...lines] : lines));
    notify(words.grid.copied(picked.length));
  }

  function pressHeader(key: string): boolean {
    const place = state.column ?? 0;
    const column = columns[place];
    if (key === 'ArrowLeft') grid.moveColumn(Math.max(0, place - 1));
    else if (key === 'ArrowRight') grid.moveColumn(Math.min(columns.length - 1, place + 1));
    else if (key === 'ArrowDown' || key === 'Escape') {
      grid.moveTo(0);
      grid.moveColumn(null);
    } else if ((key === 'Enter' || key === ' ') && column) sortBy(column);
    else return false;
    return true;
  }

  function sortBy(column: Column<Row>): void {
    if (!column.sort || !onSort) return;
    const flip = sort?.by === column.sort && sort.direction === 'desc';
    onSort({ by: column.sort, direction: flip ? 'asc' : 'desc' });
    say(words.grid.sorted(column.title, flip ? 'asc' : 'desc'));
  }

  function openMenu(index: number, column: number | null, at: { x: number; y: number }): void {
    const row = grid.rowAt(index);
    if (row === undefined) return;
    grid.moveTo(index);
    const over = column === null ? null : (columns[column] ?? null);
    setMenu({ at, entries: [...(props.menu?.(row, over) ?? []), ...copyEntries(row, over)] });
  }

  function copyEntries(row: Row, column: Column<Row> | null): MenuEntry[] {
    const value = column?.copy(row);
    const text = value && ('exact' in value ? value.exact : value.text);
    return [
      ...(text
        ? [
            {
              id: 'copyCell',
              label: words.grid.copyCell,
              run: () => void navigator.clipboard.writeText(text),
            },
          ]
        : []),
      { id: 'copyRows', label: words.grid.copyRows(grid.count()), run: () => void copy() },
    ];
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.target !== event.currentTarget) return;
    if (state.active < 0 && pressHeader(event.key)) {
      event.preventDefault();
      return;
    }
    const action = gridAction(event);
    if (!action || (state.total === 0 && action.kind !== 'escape')) return;
    const perPage = Math.max(1, Math.floor(geometry.viewport / geometry.row) - 1);
    switch (action.kind) {
      case 'move':
        if (action.by < 0 && state.active === 0 && !action.extend && event.key === 'ArrowUp') {
          grid.state.setState({ active: -1, column: state.column ?? 0 });
        } else moveTo(state.entered ? state.active + action.by : state.active, action.extend);
        break;
      case 'page':
        moveTo(state.active + action.by * perPage, action.extend);
        break;
      case 'edge':
        moveTo(action.end ? state.total - 1 : 0, action.extend);
        break;
      case 'column':
        moveAcross(action.by);
        break;
      case 'toggle':
        if (pickable) grid.toggle(state.active);
        break;
      case 'open': {
        const row = grid.activeRow();
        if (row !== undefined) onOpen?.(row);
        break;
      }
      case 'escape':
        if (state.selection.kind !== 'following') grid.clearSelection();
        else if (state.column !== null) grid.moveColumn(null);
        else onEscape?.();
        break;
      case 'selectAll':
        if (!pickable) return;
        grid.selectAll();
        say(words.grid.allSelected(state.total));
        break;
      case 'copy':
        if (!getSelection()?.isCollapsed) return;
        void copy();
        break;
      case 'menu': {
        const row = document.getElementById(rowDomId(id, state.active))?.getBoundingClientRect();
        if (row) openMenu(state.active, state.column, { x: row.left + 48, y: row.bottom });
        break;
      }
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Everything is pressed through the grid, which holds the focus: rows and titles only say where they are. */
  function onPress(event: React.MouseEvent): void {
    const pressed = pressedAt(event.target as Element);
    if (!pressed) return;
    const { index, column, tick } = pressed;
    if (event.type === 'contextmenu') {
      if (index < 0) return;
      event.preventDefault();
      openMenu(index, column, { x: event.clientX, y: event.clientY });
    } else if (index < 0) {
      const title = column === null ? undefined : columns[column];
      if (tick) pickAll();
      else if (title) sortBy(title);
    } else if (pickable && (tick || event.ctrlKey || event.metaKey)) grid.toggle(index, !tick);
    else if (pickable && event.shiftKey) void grid.extendTo(index);
    else {
      grid.clearSelection();
      grid.moveTo(index);
      const row = grid.rowAt(index);
      if (row !== undefined) onOpen?.(row);
    }
  }

  function pickAll(): void {
    if (state.selection.kind === 'all') grid.clearSelection();
    else grid.selectAll();
  }

  function moveAcross(by: -1 | 1): void {
    const to = (state.column ?? -1) + by;
    grid.moveColumn(to < 0 ? null : Math.min(columns.length - 1, to));
  }

  const events = {
    onKeyDown,
    onClick: onPress,
    onContextMenu: onPress,
    onMouseDown(event: React.MouseEvent<HTMLElement>) {
      // Keeps the focus on the grid, and a shift-click from selecting text.
      if (event.button !== 0 || !(event.target as Element).closest('[role="row"]')) return;
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
    },
    onScroll: (event: React.UIEvent<HTMLElement>) => setScrollTop(event.currentTarget.scrollTop),
  };

  const rendered: number[] = [];
  for (
    let index = Math.max(0, inView.first - OVERSCAN);
    index <= Math.min(state.total - 1, inView.last + OVERSCAN);
    index += 1
  ) {
    rendered.push(index);
  }
  // The active row stays in the page while it is out of sight, so that it can be named to screen readers.
  if (state.active >= 0 && state.active < state.total && !rendered.includes(state.active))
    rendered.push(state.active);

  const activeRow = state.active >= 0 ? grid.activeRow() : undefined;
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
        {...events}
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
          {rendered.map((index) => (
            <GridRow
              key={index}
              id={id}
              index={index}
              top={rowTop(geometry, scrollTop, index)}
              row={grid.rowAt(index)}
              rowId={grid.idOf}
              columns={columns}
              active={state.entered && index === state.active}
              activeColumn={index === state.active ? state.column : null}
              activeId={activeId}
              selection={state.selection}
              pickable={pickable}
            />
          ))}
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
