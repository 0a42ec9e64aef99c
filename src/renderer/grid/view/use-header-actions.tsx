import { type ReactNode, useState } from 'react';
import { announceToScreenReader, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { type ColumnLayout, useUserSettings } from '../../user-settings/user-settings.ts';
import { CellMenu } from '../clipboard/cell-context-menu.tsx';
import { storeColumnLayout } from '../columns/column-chooser.tsx';
import { type GridColumn, getColumnLayout, moveColumnTo } from '../columns/column-layout.ts';
import { createHeaderMenuEntries } from '../columns/header-menu.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { getHeaderDomId } from './grid-aria.ts';
import { JumpToDate, jumpToDay } from './jump-to-date.tsx';
import { showReadError } from './use-type-ahead.ts';

interface HeaderActionsOptions<Row, P extends ListPage<Row>> {
  readonly id: string;
  readonly name: string;
  readonly grid: GridController<Row, P>;
  /** Shown columns in the user's order. */
  readonly columns: readonly GridColumn<Row>[];
  /** All columns that the screen declares, including hidden ones. */
  readonly declaredColumns: readonly GridColumn<Row>[];
  readonly sort?: ListSort | undefined;
  readonly onSort?: (sort: ListSort) => void;
  scrollToRow(index: number): void;
}

type Position = { readonly x: number; readonly y: number };

/** Returns the actions on a grid's columns, and the menu or date input that is open. */
export function useHeaderActions<Row, P extends ListPage<Row>>(options: HeaderActionsOptions<Row, P>) {
  const { id, name, grid, columns, declaredColumns, sort } = options;
  const [open, setOpen] = useState<{ index: number | null; at: Position } | null>(null);
  const close = () => setOpen(null);
  const readLayout = () => getColumnLayout(declaredColumns, useUserSettings.getState().columns[name]);
  const sortColumn = columns.find(({ sortKey }) => sortKey !== undefined && sortKey === sort?.by);

  function moveColumn(from: number, to: number): void {
    const [column, target] = [columns[from], columns[to]];
    if (!column || !target) return;
    storeColumnLayout(name, moveColumnTo(readLayout(), column.id, target.id));
    announceToScreenReader(texts.grid.header.moved(column.title, to + 1, columns.length));
  }

  function openJump(): void {
    if (sort === undefined || sortColumn?.dayOf === undefined) {
      showNotice(texts.grid.jump.notByDate);
      return;
    }
    const header = document.getElementById(getHeaderDomId(id, columns.indexOf(sortColumn)));
    const { left = 0, bottom = 0 } = header?.getBoundingClientRect() ?? {};
    setOpen({ index: null, at: { x: left, y: bottom } });
  }

  async function jump(day: string): Promise<void> {
    close();
    if (sort === undefined || sortColumn === undefined) return;
    const index = await jumpToDay(grid, { column: sortColumn, sort }, day);
    if (index !== null) options.scrollToRow(index);
  }

  function createEntries(index: number) {
    return createHeaderMenuEntries({
      columns,
      index,
      layout: readLayout(),
      sort: options.onSort && sort,
      onSort: (next) => options.onSort?.(next),
      onLayout: (next: ColumnLayout) => storeColumnLayout(name, next),
      onJump: openJump,
    });
  }

  let overlay: ReactNode = null;
  if (open !== null)
    overlay =
      open.index === null ? (
        <JumpToDate at={open.at} onJump={(day) => jump(day).catch(showReadError)} onClose={close} />
      ) : (
        <CellMenu
          label={texts.grid.header.menu}
          state={{ at: open.at, entries: createEntries(open.index) }}
          onClose={close}
        />
      );
  return {
    overlay,
    moveColumn,
    openJump,
    openHeaderMenu: (index: number, at: Position) => setOpen({ index, at }),
  };
}
