/** Calculations for virtual scrolling of rows of equal height. A list above the maximum height is scaled down. */

/** Number of rows per page. The page marks of a list are the cursors before every 200th row. */
export const ROWS_PER_PAGE = 200;

/** Maximum height of the scrolled content in px. Beyond this height, browsers position content inexactly. */
export const MAX_SCROLL_HEIGHT_PX = 12_000_000;

/** Size of a list and of the viewport that shows it. Heights are in px. */
export interface ScrollGeometry {
  readonly total: number;
  readonly rowHeight: number;
  readonly viewportHeight: number;
}

export interface RowRange {
  readonly first: number;
  /** Index of the last row, inclusive. Equal to `first - 1` if the range is empty. */
  readonly last: number;
}

/** Returns the height of the scrolled content in px. */
export function getScrollHeight({ total, rowHeight }: ScrollGeometry): number {
  return Math.min(total * rowHeight, MAX_SCROLL_HEIGHT_PX);
}

/** Returns how many px the list moves per px of scrolling. The ratio is 1 unless the list is scaled down. */
export function getScrollScale(geometry: ScrollGeometry): number {
  const { total, rowHeight, viewportHeight } = geometry;
  const hidden = getScrollHeight(geometry) - viewportHeight;
  return hidden > 0 ? (total * rowHeight - viewportHeight) / hidden : 1;
}

/** Returns the range of rows that are visible at a scroll position, including partly visible rows. */
export function getRowsInView(geometry: ScrollGeometry, scrollTop: number): RowRange {
  const { total, rowHeight, viewportHeight } = geometry;
  const top = scrollTop * getScrollScale(geometry);
  const first = Math.max(0, Math.floor(top / rowHeight));
  return { first, last: Math.min(total - 1, Math.ceil((top + viewportHeight) / rowHeight) - 1) };
}

/** Returns the offset of a row within the scrolled content in px, for the given scroll position. */
export function getRowTop(geometry: ScrollGeometry, scrollTop: number, index: number): number {
  const ratio = getScrollScale(geometry);
  const top = index * geometry.rowHeight;
  // Without scaling, the offset of a row must be constant. Rounding errors would make it vary.
  return ratio === 1 ? top : top - scrollTop * ratio + scrollTop;
}

/** Returns the scroll position that places the row at the top, or as close as the end of the list allows. */
export function getScrollTopOfRow(geometry: ScrollGeometry, index: number): number {
  const maxScrollTop = Math.max(0, getScrollHeight(geometry) - geometry.viewportHeight);
  return Math.min(maxScrollTop, (index * geometry.rowHeight) / getScrollScale(geometry));
}

/** Returns the nearest scroll position at which the row is fully visible. */
export function getScrollTopToShowRow(geometry: ScrollGeometry, scrollTop: number, index: number): number {
  const { rowHeight, viewportHeight } = geometry;
  const ratio = getScrollScale(geometry);
  const top = scrollTop * ratio;
  const highest = index * rowHeight;
  const lowest = highest + rowHeight - viewportHeight;
  if (highest < top) return highest / ratio;
  if (lowest > top) return Math.max(0, lowest / ratio);
  return scrollTop;
}

/** Returns the scroll position that keeps the view unchanged after rows were inserted (or removed) above it. */
export function getScrollTopAfterShift(geometry: ScrollGeometry, scrollTop: number, rows: number): number {
  return Math.max(0, scrollTop + (rows * geometry.rowHeight) / getScrollScale(geometry));
}

/** Returns the numbers of the pages that contain the given rows. */
export function getPagesOfRows(rows: RowRange): number[] {
  if (rows.last < rows.first) return [];
  const first = Math.floor(rows.first / ROWS_PER_PAGE);
  const count = Math.floor(rows.last / ROWS_PER_PAGE) - first + 1;
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Returns the range shifted by `by` rows and clamped to the list. */
export function shiftRowRange(rows: RowRange, by: number, total: number): RowRange {
  return { first: clampRowIndex(rows.first + by, total), last: clampRowIndex(rows.last + by, total) };
}

/** Returns the index clamped to the list, or 0 if the list is empty. */
export function clampRowIndex(index: number, total: number): number {
  return Math.max(0, Math.min(total - 1, index));
}
