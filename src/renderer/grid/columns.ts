import type { ReactNode } from 'react';
import type { ColumnLayout } from '../settings/chosen.ts';
import type { Cell } from './copy.ts';

/** A column as a screen declares it. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** px, until the user says otherwise. */
  readonly width: number;
  /** Takes the room that is left. */
  readonly grows?: boolean;
  readonly end?: boolean;
  /** A sentence: in two lines, where rows are high enough. */
  readonly wraps?: boolean;
  /** Not shown until chosen. */
  readonly hidden?: boolean;
  /** What the list calls this order, where it can be sorted so. */
  readonly sort?: string;
  cell(row: Row): ReactNode;
  copy(row: Row): Cell;
}

export const NARROWEST = 56;
export const WIDEST = 900;
const noLayout: ColumnLayout = { order: [], hidden: [], widths: {} };

/** The user's layout, or the declared one. Columns that the layout does not know keep their declared place. */
export function layoutOf<Row>(
  columns: readonly Column<Row>[],
  chosen: ColumnLayout | undefined,
): { readonly all: readonly Column<Row>[]; readonly shown: readonly Column<Row>[] } {
  if (!chosen) return { all: columns, shown: columns.filter((column) => !column.hidden) };
  const known = chosen.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const all = [...known];
  for (const column of columns.filter((candidate) => !known.includes(candidate))) {
    const before = columns[columns.indexOf(column) - 1];
    all.splice(before ? all.indexOf(before) + 1 : 0, 0, column);
  }
  return {
    all: all.map((column) => ({ ...column, width: chosen.widths[column.id] ?? column.width })),
    shown: all
      .filter((column) =>
        chosen.order.includes(column.id) ? !chosen.hidden.includes(column.id) : !column.hidden,
      )
      .map((column) => ({ ...column, width: chosen.widths[column.id] ?? column.width })),
  };
}

/** The layout in words of its own, so that a change can be made to it. */
export function layoutNow<Row>(
  columns: readonly Column<Row>[],
  chosen: ColumnLayout | undefined,
): ColumnLayout {
  const { all, shown } = layoutOf(columns, chosen);
  return {
    order: all.map((column) => column.id),
    hidden: all.filter((column) => !shown.some(({ id }) => id === column.id)).map(({ id }) => id),
    widths: (chosen ?? noLayout).widths,
  };
}

/** Shows or hides a column; the last one in view stays. */
export function withShown(layout: ColumnLayout, id: string, shown: boolean): ColumnLayout {
  const hidden = shown ? layout.hidden.filter((other) => other !== id) : [...layout.hidden, id];
  return hidden.length >= layout.order.length ? layout : { ...layout, hidden };
}

/** Moves a column by so many places. */
export function withMoved(layout: ColumnLayout, id: string, by: number): ColumnLayout {
  const from = layout.order.indexOf(id);
  const to = Math.max(0, Math.min(layout.order.length - 1, from + by));
  if (from < 0 || from === to) return layout;
  const order = layout.order.filter((other) => other !== id);
  order.splice(to, 0, id);
  return { ...layout, order };
}

export function withWidth(layout: ColumnLayout, id: string, width: number): ColumnLayout {
  const kept = Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));
  return { ...layout, widths: { ...layout.widths, [id]: kept } };
}

/** px before the first column: for the tick where rows can be picked, else for the eye. */
const before = (pickable: boolean) => (pickable ? 34 : 8);

/** For `grid-template-columns`: the tick's place, then the columns. */
export function templateOf<Row>(shown: readonly Column<Row>[], pickable: boolean): string {
  const widths = shown.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`));
  // Something has to take the room that is left, else rows end before the grid does.
  return [`${before(pickable)}px`, ...widths, ...(shown.some(({ grows }) => grows) ? [] : ['1fr'])].join(' ');
}

/** Least width of a row in px. */
export function rowWidth<Row>(shown: readonly Column<Row>[], pickable: boolean): number {
  return shown.reduce((sum, { width }) => sum + width, before(pickable));
}
