/**
 * Arithmetic of virtual scrolling: which rows are in view, which pages contain them, and where the scrollbar is. All rows have the
 * same height. A list taller than a browser can lay out exactly is scaled.
 */

/** Rows per page, and the distance between two marks. */
export const PAGE_ROWS = 200;

/** Maximum height of the body in px. In a taller body, positions become inexact in the compositor. */
export const MAX_BODY_HEIGHT_PX = 12_000_000;

/** Size of a list and of its viewport. Heights are in px. */
export interface ScrollGeometry {
  readonly total: number;
  readonly rowHeight: number;
  readonly viewportHeight: number;
}

export interface RowRange {
  readonly first: number;
  /** Inclusive; `first - 1` if the range is empty. */
  readonly last: number;
}

/** Returns the height of the scrolled body in px. */
export function bodyHeight({ total, rowHeight }: ScrollGeometry): number {
  return Math.min(total * rowHeight, MAX_BODY_HEIGHT_PX);
}

/** Returns how many px of the list one px of scrolling moves: 1 unless the list is scaled. */
export function scrollRatio(geometry: ScrollGeometry): number {
  const { total, rowHeight, viewportHeight } = geometry;
  const hidden = bodyHeight(geometry) - viewportHeight;
  return hidden > 0 ? (total * rowHeight - viewportHeight) / hidden : 1;
}

/** Returns the rows at a scroll position, including partly visible ones. */
export function rowsInView(geometry: ScrollGeometry, scrollTop: number): RowRange {
  const { total, rowHeight, viewportHeight } = geometry;
  const top = scrollTop * scrollRatio(geometry);
  const first = Math.max(0, Math.floor(top / rowHeight));
  return { first, last: Math.min(total - 1, Math.ceil((top + viewportHeight) / rowHeight) - 1) };
}

/** Returns the offset of a row within the body in px, given the scroll position. */
export function rowTop(geometry: ScrollGeometry, scrollTop: number, index: number): number {
  const ratio = scrollRatio(geometry);
  const top = index * geometry.rowHeight;
  // Without scaling, a row's offset must stay constant and not change by rounding.
  return ratio === 1 ? top : top - scrollTop * ratio + scrollTop;
}

/** Returns the scroll position with the row at the top, limited by the end of the list. */
export function scrollToTop(geometry: ScrollGeometry, index: number): number {
  const maxScrollTop = Math.max(0, bodyHeight(geometry) - geometry.viewportHeight);
  return Math.min(maxScrollTop, (index * geometry.rowHeight) / scrollRatio(geometry));
}

/** Returns the nearest scroll position at which the row is fully visible. */
export function scrollToShow(geometry: ScrollGeometry, scrollTop: number, index: number): number {
  const { rowHeight, viewportHeight } = geometry;
  const ratio = scrollRatio(geometry);
  const top = scrollTop * ratio;
  const highest = index * rowHeight;
  const lowest = highest + rowHeight - viewportHeight;
  if (highest < top) return highest / ratio;
  if (lowest > top) return Math.max(0, lowest / ratio);
  return scrollTop;
}

/** Returns the scroll position that keeps the view unchanged after rows were inserted (or, if negative, removed) above it. */
export function scrollAfterShift(geometry: ScrollGeometry, scrollTop: number, rows: number): number {
  return Math.max(0, scrollTop + (rows * geometry.rowHeight) / scrollRatio(geometry));
}

/** Returns the numbers of the pages that contain these rows. */
export function pagesContaining(rows: RowRange): number[] {
  if (rows.last < rows.first) return [];
  const first = Math.floor(rows.first / PAGE_ROWS);
  const count = Math.floor(rows.last / PAGE_ROWS) - first + 1;
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Returns the range moved by `by` rows and clamped to the list. */
export function shiftRows(rows: RowRange, by: number, total: number): RowRange {
  return { first: clampIndex(rows.first + by, total), last: clampIndex(rows.last + by, total) };
}

/** Returns the index clamped to the list; 0 if the list is empty. */
export function clampIndex(index: number, total: number): number {
  return Math.max(0, Math.min(total - 1, index));
}
