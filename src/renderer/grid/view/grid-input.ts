import { type GridKeyAction, getGridKeyAction } from '../../keyboard/grid-keys.ts';
import { announceToScreenReader } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { copySelectedRows } from '../clipboard/copy-rows.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import type { GridController, GridState, ListPage } from '../state/grid-controller.ts';
import { clampRowIndex } from '../state/scroll-geometry.ts';
import { findGridPosition, getHeaderDomId, getRowDomId } from './grid-aria.ts';
import type { TypeAhead } from './use-type-ahead.ts';

/** Rows, columns and callbacks that key presses and pointer events act on. */
export interface GridInputProps<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  readonly columns: readonly GridColumn<Row>[];
  readonly sort?: ListSort | undefined;
  readonly onSort?: (sort: ListSort) => void;
  /** Called when the user presses Enter on a row or clicks it. */
  readonly onOpen?: (row: Row) => void;
  /** Called when the user presses Escape and nothing is selected. */
  readonly onEscape?: () => void;
  /** True if a click or Enter toggles one row and leaves the other selected rows unchanged. */
  readonly clickToggles?: boolean;
}

interface GridInputOptions<Row, P extends ListPage<Row>> extends GridInputProps<Row, P> {
  readonly id: string;
  readonly state: GridState<Row, P>;
  readonly isSelectable: boolean;
  readonly rowsPerPage: number;
  scrollToRow(index: number): void;
  readonly typeAhead: TypeAhead<Row>;
  openMenu(index: number, column: number | null, at: MenuPosition): void;
  openHeaderMenu(column: number, at: MenuPosition): void;
  /** Opens the input of a date to jump to, or shows why the list has none. */
  openJump(): void;
  moveColumn(from: number, to: number): void;
}

/** Position in the window in px. */
interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

/** Distance in px between the left edge of a row and the row's menu when a key press opens the menu. */
const MENU_INDENT_PX = 48;

/** Handles a grid's key presses and pointer events. The grid element keeps the focus. */
export class GridInputHandler<Row, P extends ListPage<Row>> {
  readonly #options: GridInputOptions<Row, P>;

  constructor(options: GridInputOptions<Row, P>) {
    this.#options = options;
  }

  onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const { state } = this.#options;
    const isHeaderKey = state.activeIndex < 0 && this.#handleHeaderKey(event);
    if (!isHeaderKey && !this.#typeInCell(event)) {
      const action = getGridKeyAction(event);
      if (action === null || (state.total === 0 && action.kind !== 'escape')) return;
      if (!this.#perform(action)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  onClick = (event: React.MouseEvent): void => {
    const { grid, isSelectable, clickToggles } = this.#options;
    const position = findGridPosition(event.target as Element);
    if (!position) return;
    const { index, column, isCheckbox } = position;
    if (index < 0 && column !== null && (event.target as Element).closest('.grid-header-menu'))
      this.#openHeaderMenu(column);
    else if (index < 0) this.#clickHeader(column, isCheckbox);
    else if (isSelectable && (isCheckbox || event.ctrlKey || event.metaKey))
      grid.toggleRow(index, !isCheckbox);
    else if (isSelectable && event.shiftKey) void grid.extendSelectionTo(index);
    else if (clickToggles) grid.toggleRow(index);
    else {
      grid.clearSelection();
      grid.moveToRow(index);
      this.#open(grid.rowAt(index));
    }
  };

  onContextMenu = (event: React.MouseEvent): void => {
    const position = findGridPosition(event.target as Element);
    if (!position || (position.index < 0 && position.column === null)) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    if (position.index >= 0) this.#options.openMenu(position.index, position.column, at);
    else this.#options.openHeaderMenu(position.column ?? 0, at);
  };

  /** Keeps the focus on the grid and prevents Shift+click from selecting text. */
  onMouseDown = (event: React.MouseEvent<HTMLElement>): void => {
    if (event.button !== 0 || !(event.target as Element).closest('[role="row"]')) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
  };

  #clickHeader(column: number | null, isCheckbox: boolean): void {
    const { grid, state, columns } = this.#options;
    if (!isCheckbox) this.#sortBy(column === null ? undefined : columns[column]);
    else if (state.selection.kind === 'all') grid.clearSelection();
    else grid.selectAll();
  }

  /** Handles a key press in the header. Returns true if the key was handled. */
  #handleHeaderKey({ key, altKey, shiftKey }: React.KeyboardEvent): boolean {
    const { grid, state, columns } = this.#options;
    const column = state.activeColumn ?? 0;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (altKey && by !== undefined) this.#moveColumn(column, column + by);
    else if (key === 'ContextMenu' || (shiftKey && key === 'F10') || (altKey && key === 'ArrowDown'))
      this.#openHeaderMenu(column);
    else if (key === 'ArrowLeft') grid.moveToColumn(Math.max(0, column - 1));
    else if (key === 'ArrowRight') grid.moveToColumn(Math.min(columns.length - 1, column + 1));
    else if (key === 'ArrowDown' || key === 'Escape') {
      grid.moveToRow(0);
      grid.moveToColumn(null);
    } else if (key === 'Enter' || key === ' ') this.#sortBy(columns[column]);
    else return false;
    return true;
  }

  #moveColumn(from: number, to: number): void {
    const { grid, columns, moveColumn } = this.#options;
    if (to < 0 || to >= columns.length) return;
    moveColumn(from, to);
    grid.moveToColumn(to);
  }

  #openHeaderMenu(column: number): void {
    const header = document.getElementById(getHeaderDomId(this.#options.id, column));
    const box = header?.getBoundingClientRect();
    if (box) this.#options.openHeaderMenu(column, { x: box.left, y: box.bottom });
  }

  /** Finds the next row by the typed text while a cell is active. Returns true if the key was handled. */
  #typeInCell({ key, ctrlKey, metaKey, altKey }: React.KeyboardEvent): boolean {
    const { state, columns, typeAhead } = this.#options;
    const column = state.activeColumn === null ? undefined : columns[state.activeColumn];
    const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey;
    if (!isText || state.activeIndex < 0 || column === undefined) return false;
    // A space selects the row unless it continues the typed text.
    if (key === ' ' && typeAhead.typed === '') return false;
    typeAhead.type(column, key);
    return true;
  }

  /** Performs the grid action for a key press. Returns false if other handlers should handle the key. */
  #perform(action: GridKeyAction): boolean {
    const { grid, state, isSelectable } = this.#options;
    switch (action.kind) {
      case 'move':
        this.#moveBy(action.by, action.extend);
        return true;
      case 'page':
        this.#moveTo(state.activeIndex + action.by * this.#options.rowsPerPage, action.extend);
        return true;
      case 'edge':
        this.#moveTo(action.end ? state.total - 1 : 0, action.extend);
        return true;
      case 'column':
        this.#moveColumnBy(action.by);
        return true;
      case 'toggle':
        if (isSelectable) grid.toggleRow(state.activeIndex);
        return true;
      case 'open':
        this.#openActiveRow();
        return true;
      case 'escape':
        this.#leave();
        return true;
      case 'selectAll':
        return this.#selectAll();
      case 'copy':
        return this.#copy();
      case 'menu':
        this.#openRowMenu();
        return true;
      case 'jump':
        this.#options.openJump();
        return true;
    }
  }

  #moveBy(by: number, extend: boolean): void {
    const { grid, state } = this.#options;
    if (by < 0 && state.activeIndex === 0 && !extend) grid.moveToHeader();
    else this.#moveTo(state.hasEntered ? state.activeIndex + by : state.activeIndex, extend);
  }

  #moveTo(index: number, extend: boolean): void {
    const { grid, state, isSelectable, scrollToRow } = this.#options;
    const to = clampRowIndex(index, state.total);
    if (extend && isSelectable) void grid.extendSelectionTo(to);
    else grid.moveToRow(to);
    scrollToRow(to);
  }

  #moveColumnBy(by: number): void {
    const { grid, state, columns } = this.#options;
    const to = (state.activeColumn ?? -1) + by;
    grid.moveToColumn(to < 0 ? null : Math.min(columns.length - 1, to));
  }

  #openActiveRow(): void {
    const { grid, state, clickToggles } = this.#options;
    if (clickToggles) {
      grid.toggleRow(state.activeIndex);
      return;
    }
    // If the user has not moved to a row yet, the active row is entered first.
    if (!state.hasEntered) this.#moveTo(state.activeIndex, false);
    this.#open(grid.activeRow());
  }

  #open(row: Row | undefined): void {
    if (row !== undefined) this.#options.onOpen?.(row);
  }

  /** Handles Escape: clears the selection, else leaves the cell, else leaves the list. */
  #leave(): void {
    const { grid, state, onEscape } = this.#options;
    if (state.selection.kind !== 'following') grid.clearSelection();
    else if (state.activeColumn !== null) grid.moveToColumn(null);
    else onEscape?.();
  }

  #selectAll(): boolean {
    const { grid, state, isSelectable } = this.#options;
    if (!isSelectable) return false;
    grid.selectAll();
    announceToScreenReader(texts.grid.allSelected(state.total));
    return true;
  }

  #copy(): boolean {
    // Leaves the copy key to the browser if text is selected.
    if (!getSelection()?.isCollapsed) return false;
    void copySelectedRows(this.#options.grid, this.#options.columns);
    return true;
  }

  #openRowMenu(): void {
    const { id, state, openMenu } = this.#options;
    const row = document.getElementById(getRowDomId(id, state.activeIndex))?.getBoundingClientRect();
    if (row) openMenu(state.activeIndex, state.activeColumn, { x: row.left + MENU_INDENT_PX, y: row.bottom });
  }

  #sortBy(column: GridColumn<Row> | undefined): void {
    const { sort, onSort } = this.#options;
    if (!column?.sortKey || !onSort) return;
    const isDescending = sort?.by === column.sortKey && sort.direction === 'desc';
    const direction = isDescending ? 'asc' : 'desc';
    const isGrouped = sort?.by === column.sortKey && sort.isGrouped === true;
    onSort({ by: column.sortKey, direction, isGrouped });
    announceToScreenReader(texts.grid.sorted(column.title, direction));
  }
}
