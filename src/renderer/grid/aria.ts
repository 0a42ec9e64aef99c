import type { AriaAttributes, AriaRole } from 'react';

/**
 * What the grid says of itself to screen readers, by the grid pattern of WAI-ARIA: the whole length of the list though few
 * rows are drawn, and one element that holds the focus while rows come and go.
 */
type Aria = AriaAttributes & { readonly role: AriaRole; readonly id?: string; readonly tabIndex?: number };

/** The element of a row, or of one of its cells. */
export function rowDomId(grid: string, index: number, column: number | null = null): string {
  return column === null ? `${grid}-row-${index}` : `${grid}-row-${index}-${column}`;
}

/** The element of a column's title. */
function titleDomId(grid: string, column: number): string {
  return `${grid}-title-${column}`;
}

interface GridAria {
  readonly id: string;
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  readonly busy: boolean;
  readonly pickable: boolean;
  /** -1 is the row of titles. */
  readonly active: number;
  readonly activeColumn: number | null;
}

export function gridAria(of: GridAria): Aria {
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-label': of.label,
    'aria-rowcount': of.rows + 1,
    'aria-colcount': of.columns,
    'aria-busy': of.busy,
    'aria-multiselectable': of.pickable,
    ...(of.rows === 0 && of.active >= 0
      ? {}
      : {
          'aria-activedescendant':
            of.active < 0
              ? titleDomId(of.id, of.activeColumn ?? 0)
              : rowDomId(of.id, of.active, of.activeColumn),
        }),
  };
}

export const rowGroupAria: Aria = { role: 'rowgroup' };

/** The titles are the first row. */
export const titleRowAria: Aria = { role: 'row', 'aria-rowindex': 1 };

export function titleAria(
  grid: string,
  column: number,
  sorted: 'asc' | 'desc' | null,
  sortable: boolean,
): Aria {
  const direction = { asc: 'ascending', desc: 'descending' } as const;
  return {
    role: 'columnheader',
    id: titleDomId(grid, column),
    'aria-colindex': column + 1,
    ...(sorted ? { 'aria-sort': direction[sorted] } : sortable ? { 'aria-sort': 'none' } : {}),
  };
}

export function rowAria(grid: string, index: number, selected: boolean): Aria {
  return { role: 'row', id: rowDomId(grid, index), 'aria-rowindex': index + 2, 'aria-selected': selected };
}

export function cellAria(grid: string, index: number, column: number): Aria {
  return { role: 'gridcell', id: rowDomId(grid, index, column), 'aria-colindex': column + 1 };
}

/** Where in the grid an element is: the row (-1 for the titles), the column, and whether on the tick. */
export function pressedAt(
  element: Element,
): { readonly index: number; readonly column: number | null; readonly tick: boolean } | null {
  const row = element.closest('[role="row"]');
  if (!row || element.closest('.grid-edge')) return null;
  const column = element.closest('[aria-colindex]')?.getAttribute('aria-colindex');
  return {
    index: Number(row.getAttribute('aria-rowindex')) - 2,
    column: column ? Number(column) - 1 : null,
    tick: element.closest('.grid-tick') !== null,
  };
}
