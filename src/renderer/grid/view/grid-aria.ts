import type { AriaAttributes, AriaRole } from 'react';

/** ARIA attributes of the WAI-ARIA grid pattern. They describe all rows, although only visible rows are rendered. */
type AriaProps = AriaAttributes & {
  readonly role: AriaRole;
  readonly id?: string;
  readonly tabIndex?: number;
};

export function getRowDomId(grid: string, index: number, column: number | null = null): string {
  return column === null ? `${grid}-row-${index}` : `${grid}-row-${index}-${column}`;
}

/** Returns the DOM id of a column header. */
export function getHeaderDomId(grid: string, column: number): string {
  return `${grid}-header-${column}`;
}

interface GridAriaOptions {
  readonly id: string;
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  readonly busy: boolean;
  readonly isSelectable: boolean;
  /** Index of the active row; -1 is the header. */
  readonly active: number;
  readonly activeColumn: number | null;
}

export function getGridAriaProps(options: GridAriaOptions): AriaProps {
  const { id, rows, active, activeColumn } = options;
  const activeId = active < 0 ? getHeaderDomId(id, activeColumn ?? 0) : getRowDomId(id, active, activeColumn);
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-label': options.label,
    'aria-rowcount': rows + 1,
    'aria-colcount': options.columns,
    'aria-busy': options.busy,
    'aria-multiselectable': options.isSelectable,
    ...(rows === 0 && active >= 0 ? {} : { 'aria-activedescendant': activeId }),
  };
}

export const rowGroupAriaProps: AriaProps = { role: 'rowgroup' };

/** ARIA attributes of the grid's header row, which counts as the first row. */
export const headerRowAriaProps: AriaProps = { role: 'row', 'aria-rowindex': 1 };

interface HeaderCellAriaOptions {
  readonly grid: string;
  readonly column: number;
  /** Current sort direction, or null if the list is sorted by another column. */
  readonly direction: 'asc' | 'desc' | null;
  readonly isSortable: boolean;
}

export function getHeaderCellAriaProps({
  grid,
  column,
  direction,
  isSortable,
}: HeaderCellAriaOptions): AriaProps {
  const sort = direction && ({ asc: 'ascending', desc: 'descending' } as const)[direction];
  return {
    role: 'columnheader',
    id: getHeaderDomId(grid, column),
    'aria-colindex': column + 1,
    ...(isSortable || sort ? { 'aria-sort': sort ?? 'none' } : {}),
  };
}

export function getRowAriaProps(grid: string, index: number, selected: boolean): AriaProps {
  return { role: 'row', id: getRowDomId(grid, index), 'aria-rowindex': index + 2, 'aria-selected': selected };
}

export function getCellAriaProps(grid: string, index: number, column: number): AriaProps {
  return { role: 'gridcell', id: getRowDomId(grid, index, column), 'aria-colindex': column + 1 };
}

/** Returns the row index (-1: header) and column of an element, or null outside of rows. */
export function findGridPosition(
  element: Element,
): { readonly index: number; readonly column: number | null; readonly isCheckbox: boolean } | null {
  const row = element.closest('[role="row"]');
  if (!row || element.closest('.grid-resize-handle')) return null;
  const column = element.closest('[aria-colindex]')?.getAttribute('aria-colindex');
  return {
    index: Number(row.getAttribute('aria-rowindex')) - 2,
    column: column ? Number(column) - 1 : null,
    isCheckbox: element.closest('.grid-checkbox') !== null,
  };
}
