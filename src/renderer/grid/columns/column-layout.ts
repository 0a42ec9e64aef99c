import type { ReactNode } from 'react';
import { type ColumnLayout, DEFAULT_FROZEN_COLUMNS } from '../../user-settings/user-settings.ts';

/** Cell to copy. `text` may come from an untrusted source; `exact` is a number formatted by Tieout. */
export type CopyableCell = { readonly text: string } | { readonly exact: string };

/** Column of a grid, as declared by its screen. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** Default width in px, used until the user resizes the column. */
  readonly width: number;
  readonly fillsSpace?: boolean;
  readonly alignEnd?: boolean;
  readonly wrapsText?: boolean;
  readonly startsHidden?: boolean;
  /** Key for sorting the list by this column. Omitted if the list cannot be sorted by it. */
  readonly sortKey?: string;
  /** Returns the calendar day of the value (YYYY-MM-DD), or null without one. Omitted if the column has no dates. */
  dayOf?(row: Row): string | null;
  cell(row: Row): ReactNode;
  copy(row: Row): CopyableCell;
}

export const MIN_COLUMN_WIDTH_PX = 56;
export const MAX_COLUMN_WIDTH_PX = 900;

/** Returns the columns in the user's layout. Columns that the layout does not mention keep their declared position. */
export function applyColumnLayout<Row>(
  columns: readonly GridColumn<Row>[],
  layout: ColumnLayout | undefined,
): { readonly all: readonly GridColumn<Row>[]; readonly shown: readonly GridColumn<Row>[] } {
  if (!layout) return { all: columns, shown: columns.filter((column) => !column.startsHidden) };
  const known = layout.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const ordered = [...known];
  for (const column of columns.filter((candidate) => !known.includes(candidate))) {
    const previous = columns[columns.indexOf(column) - 1];
    ordered.splice(previous ? ordered.indexOf(previous) + 1 : 0, 0, column);
  }
  const all = ordered.map((column) => ({ ...column, width: layout.widths[column.id] ?? column.width }));
  const isShown = ({ id, startsHidden }: GridColumn<Row>) =>
    layout.order.includes(id) ? !layout.hidden.includes(id) : !startsHidden;
  return { all, shown: all.filter(isShown) };
}

/** Returns the complete current column layout, as a basis for changes. */
export function getColumnLayout<Row>(
  columns: readonly GridColumn<Row>[],
  layout: ColumnLayout | undefined,
): ColumnLayout {
  const { all, shown } = applyColumnLayout(columns, layout);
  return {
    order: all.map(({ id }) => id),
    hidden: all.map(({ id }) => id).filter((id) => !shown.some((column) => column.id === id)),
    widths: layout?.widths ?? {},
    frozen: layout?.frozen ?? DEFAULT_FROZEN_COLUMNS,
  };
}

/** Shows or hides a column. The last visible column cannot be hidden. */
export function setColumnShown(layout: ColumnLayout, id: string, shown: boolean): ColumnLayout {
  const hidden = shown ? layout.hidden.filter((other) => other !== id) : [...layout.hidden, id];
  return hidden.length >= layout.order.length ? layout : { ...layout, hidden };
}

/** Moves a column by the given number of positions and returns the new layout. */
export function moveColumn(layout: ColumnLayout, id: string, by: number): ColumnLayout {
  const from = layout.order.indexOf(id);
  const to = Math.max(0, Math.min(layout.order.length - 1, from + by));
  if (from < 0 || from === to) return layout;
  const order = layout.order.filter((other) => other !== id);
  order.splice(to, 0, id);
  return { ...layout, order };
}

/** Moves a shown column to the position of another shown column and returns the new layout. */
export function moveColumnTo(layout: ColumnLayout, id: string, target: string): ColumnLayout {
  return moveColumn(layout, id, layout.order.indexOf(target) - layout.order.indexOf(id));
}

/** Returns the left offset in px of each frozen column: the first `count` of the shown columns. */
export function getFrozenOffsets<Row>(
  shown: readonly GridColumn<Row>[],
  count: number,
  isSelectable: boolean,
): readonly number[] {
  let left = leadingWidth(isSelectable);
  return shown.slice(0, count).map(({ width }) => {
    left += width;
    return left - width;
  });
}

/** Sets the width of a column in px, clamped to the allowed range. */
export function setColumnWidth(layout: ColumnLayout, id: string, width: number): ColumnLayout {
  const clamped = Math.round(Math.max(MIN_COLUMN_WIDTH_PX, Math.min(MAX_COLUMN_WIDTH_PX, width)));
  return { ...layout, widths: { ...layout.widths, [id]: clamped } };
}

/** Returns the width in px to the left of the first column: either room for the checkbox or a margin. */
const leadingWidth = (isSelectable: boolean) => (isSelectable ? 34 : 6);

/** Returns the CSS value of `grid-template-columns` for the leading cell and the visible columns. */
export function getGridTemplateColumns<Row>(
  shown: readonly GridColumn<Row>[],
  isSelectable: boolean,
): string {
  const widths = shown.map(({ width, fillsSpace }) =>
    fillsSpace ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  // Adds a filler if no column takes up the remaining width. Otherwise, rows would end before the right edge of the grid.
  const filler = shown.some(({ fillsSpace }) => fillsSpace) ? [] : ['1fr'];
  return [`${leadingWidth(isSelectable)}px`, ...widths, ...filler].join(' ');
}

/** Returns the minimum width of a grid row in px. */
export function getMinRowWidth<Row>(shown: readonly GridColumn<Row>[], isSelectable: boolean): number {
  return shown.reduce((sum, { width }) => sum + width, leadingWidth(isSelectable));
}
