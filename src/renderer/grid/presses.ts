import { say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { pressedAt, rowDomId } from './aria.ts';
import type { Column } from './columns.ts';
import type { Grid, GridState, Page } from './controller.ts';
import { copyRows } from './copy-rows.ts';
import { type GridAction, gridAction } from './keys.ts';
import type { Sort } from './use-sort.ts';

/** What presses act on. */
interface Pressed<Row, P extends Page<Row>> {
  readonly id: string;
  readonly grid: Grid<Row, P>;
  readonly state: GridState<Row, P>;
  readonly columns: readonly Column<Row>[];
  readonly pickable: boolean;
  /** A click, or Enter, takes a row in or out and leaves the others as they are. */
  readonly clickPicks?: boolean;
  readonly perPage: number;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly onOpen?: (row: Row) => void;
  readonly onEscape?: () => void;
  show(index: number): void;
  openMenu(index: number, column: number | null, at: { readonly x: number; readonly y: number }): void;
}

interface Presses {
  onKeyDown(event: React.KeyboardEvent): void;
  onClick(event: React.MouseEvent): void;
  onContextMenu(event: React.MouseEvent): void;
  onMouseDown(event: React.MouseEvent<HTMLElement>): void;
}

/** Keys and pointer, all through the grid, which holds the focus: rows and titles only say where they are. */
export function pressesOf<Row, P extends Page<Row>>(of: Pressed<Row, P>): Presses {
  const { id, grid, state, columns, pickable, show } = of;

  function moveTo(index: number, extend: boolean): void {
    const to = Math.max(0, Math.min(state.total - 1, index));
    if (extend && pickable) void grid.extendTo(to);
    else grid.moveTo(to);
    show(to);
  }

  function moveAcross(by: number): void {
    const to = (state.column ?? -1) + by;
    grid.moveColumn(to < 0 ? null : Math.min(columns.length - 1, to));
  }

  function sortBy(column: Column<Row> | undefined): void {
    if (!column?.sort || !of.onSort) return;
    const flip = of.sort?.by === column.sort && of.sort.direction === 'desc';
    of.onSort({ by: column.sort, direction: flip ? 'asc' : 'desc' });
    say(words.grid.sorted(column.title, flip ? 'asc' : 'desc'));
  }

  /** Among the titles; whether the key meant something there. */
  function keyOnTitles(key: string): boolean {
    const place = state.column ?? 0;
    if (key === 'ArrowLeft') grid.moveColumn(Math.max(0, place - 1));
    else if (key === 'ArrowRight') grid.moveColumn(Math.min(columns.length - 1, place + 1));
    else if (key === 'ArrowDown' || key === 'Escape') {
      grid.moveTo(0);
      grid.moveColumn(null);
    } else if (key === 'Enter' || key === ' ') sortBy(columns[place]);
    else return false;
    return true;
  }

  /** Whether it was done here; else the key is left to others. */
  function act(action: GridAction): boolean {
    switch (action.kind) {
      case 'move':
        if (action.by < 0 && state.active === 0 && !action.extend) grid.moveToTitles();
        else moveTo(state.entered ? state.active + action.by : state.active, action.extend);
        return true;
      case 'page':
        moveTo(state.active + action.by * of.perPage, action.extend);
        return true;
      case 'edge':
        moveTo(action.end ? state.total - 1 : 0, action.extend);
        return true;
      case 'column':
        moveAcross(action.by);
        return true;
      case 'toggle':
        if (pickable) grid.toggle(state.active);
        return true;
      case 'open':
        if (of.clickPicks) grid.toggle(state.active);
        else {
          // Who comes to the list begins with its first row.
          if (!state.entered) moveTo(state.active, false);
          open(grid.activeRow());
        }
        return true;
      case 'escape':
        if (state.selection.kind !== 'following') grid.clearSelection();
        else if (state.column !== null) grid.moveColumn(null);
        else of.onEscape?.();
        return true;
      case 'selectAll':
        if (!pickable) return false;
        grid.selectAll();
        say(words.grid.allSelected(state.total));
        return true;
      case 'copy':
        // Text that was selected is the browser's to copy.
        if (!getSelection()?.isCollapsed) return false;
        void copyRows(grid, columns);
        return true;
      case 'menu': {
        const row = document.getElementById(rowDomId(id, state.active))?.getBoundingClientRect();
        if (row) of.openMenu(state.active, state.column, { x: row.left + 48, y: row.bottom });
        return true;
      }
    }
  }

  function open(row: Row | undefined): void {
    if (row !== undefined) of.onOpen?.(row);
  }

  function press(event: React.MouseEvent): void {
    const pressed = pressedAt(event.target as Element);
    if (!pressed) return;
    const { index, column, tick } = pressed;
    if (index < 0) {
      if (!tick) sortBy(column === null ? undefined : columns[column]);
      else if (state.selection.kind === 'all') grid.clearSelection();
      else grid.selectAll();
    } else if (pickable && (tick || event.ctrlKey || event.metaKey)) grid.toggle(index, !tick);
    else if (pickable && event.shiftKey) void grid.extendTo(index);
    else if (of.clickPicks) grid.toggle(index);
    else {
      grid.clearSelection();
      grid.moveTo(index);
      open(grid.rowAt(index));
    }
  }

  return {
    onKeyDown(event) {
      if (event.target !== event.currentTarget) return;
      const onTitles = state.active < 0 && keyOnTitles(event.key);
      const action = onTitles ? null : gridAction(event);
      const done =
        onTitles || (action !== null && (state.total > 0 || action.kind === 'escape') && act(action));
      if (!done) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: press,
    onContextMenu(event) {
      const pressed = pressedAt(event.target as Element);
      if (!pressed || pressed.index < 0) return;
      event.preventDefault();
      of.openMenu(pressed.index, pressed.column, { x: event.clientX, y: event.clientY });
    },
    onMouseDown(event) {
      // Keeps the focus on the grid, and a shift-click from selecting text.
      if (event.button !== 0 || !(event.target as Element).closest('[role="row"]')) return;
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
    },
  };
}
