/**
 * The arithmetic of a list of any length in a window of few rows: which rows are in view, which pages hold them, and
 * where the scrollbar stands. Rows are of one height; a list taller than a browser can lay out exactly is scaled.
 */

/** Rows a page, and the distance of the marks. */
export const EVERY = 200;

/** Tallest body in px: beyond it, positions lose their exactness in the compositor. */
export const TALLEST = 12_000_000;

export interface Geometry {
  readonly total: number;
  readonly row: number;
  readonly viewport: number;
}

export interface Rows {
  readonly first: number;
  /** The last one, inclusive; `first - 1` where there is none. */
  readonly last: number;
}

/** Height of the scrolled body in px. */
export function bodyHeight(of: Geometry): number {
  return Math.min(of.total * of.row, TALLEST);
}

/** How many px of list one px of scrolling passes; 1 unless the list is too tall. */
export function ratioOf(of: Geometry): number {
  const hidden = bodyHeight(of) - of.viewport;
  return hidden > 0 ? (of.total * of.row - of.viewport) / hidden : 1;
}

/** The rows at a scroll position, those partly in view included. */
export function rowsInView(of: Geometry, scrollTop: number): Rows {
  const top = scrollTop * ratioOf(of);
  const first = Math.max(0, Math.floor(top / of.row));
  return { first, last: Math.min(of.total - 1, Math.ceil((top + of.viewport) / of.row) - 1) };
}

/** Where in the body a row is drawn, given the scroll position. */
export function rowTop(of: Geometry, scrollTop: number, index: number): number {
  const ratio = ratioOf(of);
  // Where nothing is scaled a row's place never changes, and must not by rounding either.
  return ratio === 1 ? index * of.row : index * of.row - scrollTop * ratio + scrollTop;
}

/** The scroll position that has the row at the top, as far as the list reaches. */
export function scrollToTop(of: Geometry, index: number): number {
  const furthest = Math.max(0, bodyHeight(of) - of.viewport);
  return Math.min(furthest, (index * of.row) / ratioOf(of));
}

/** The nearest scroll position that has the row wholly in view; the one given where it is already. */
export function scrollToShow(of: Geometry, scrollTop: number, index: number): number {
  const ratio = ratioOf(of);
  const top = scrollTop * ratio;
  const above = index * of.row;
  const below = above + of.row - of.viewport;
  if (above < top) return above / ratio;
  if (below > top) return Math.max(0, below / ratio);
  return scrollTop;
}

/** The scroll position after so many rows came (or went) above what is in view. */
export function scrollShifted(of: Geometry, scrollTop: number, rows: number): number {
  return Math.max(0, scrollTop + (rows * of.row) / ratioOf(of));
}

/** The pages that hold these rows. */
export function pagesOf(rows: Rows, every = EVERY): number[] {
  if (rows.last < rows.first) return [];
  const first = Math.floor(rows.first / every);
  return Array.from({ length: Math.floor(rows.last / every) - first + 1 }, (_, place) => first + place);
}

/** The rows, moved by `by` and kept within the list. */
export function movedRows(rows: Rows, by: number, total: number): Rows {
  return { first: clamp(rows.first + by, total), last: clamp(rows.last + by, total) };
}

/** The nearest index there is; 0 in an empty list. */
export function clamp(index: number, total: number): number {
  return Math.max(0, Math.min(total - 1, index));
}
