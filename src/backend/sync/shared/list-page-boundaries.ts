import type { ListPageRequest } from './read-page-in-parts.ts';

/**
 * Returns true if two consecutive pages share a row. Rows with the same timestamp may change their order between
 * requests. For each repeated row, the second page then skips another row, which a page across the boundary contains.
 */
export function doPagesOverlap(before: readonly number[], after: readonly number[]): boolean {
  const seen = new Set(before);
  return after.some((id) => seen.has(id));
}

/** Returns page requests that cross the boundary after `index` rows, in other page sizes, widest margin first. */
export function listPagesAcrossBoundary(index: number, rowsPerPage: number): ListPageRequest[] {
  const candidates: (ListPageRequest & { margin: number })[] = [];
  for (let size = rowsPerPage - 1; size > rowsPerPage / 2; size--) {
    const page = Math.floor(index / size) + 1;
    const first = (page - 1) * size;
    candidates.push({ page, per_page: size, margin: Math.min(index - first, first + size - index) });
  }
  return candidates
    .filter(({ margin }) => margin > 0)
    .sort((a, b) => b.margin - a.margin)
    .map(({ page, per_page }) => ({ page, per_page }));
}

/** Maximum number of pages read across a boundary to find skipped rows. Chosen by judgment. */
export const MAX_PAGES_ACROSS_BOUNDARY = 4;

/** Returns true if the service returned the previous page's rows again. */
export function isRepeatedPage(before: readonly number[], after: readonly number[]): boolean {
  return (
    before.length > 0 && before.length === after.length && before.every((id, index) => id === after[index])
  );
}
