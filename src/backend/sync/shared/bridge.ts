import type { PageAsk } from './pages.ts';

/**
 * Rows with the same timestamp may change their order between requests. If such rows span a page boundary, the next page
 * may repeat one of them and skip another, and a skipped row always implies a repeated one. A page of another size that
 * contains the boundary shows them all.
 */
export function repeats(before: readonly number[], after: readonly number[]): boolean {
  const seen = new Set(before);
  return after.some((id) => seen.has(id));
}

/** Returns pages that contain the boundary after the first `index` rows, those with the largest margin first. */
export function bridges(index: number, rowsPerPage: number): PageAsk[] {
  const requires: (PageAsk & { margin: number })[] = [];
  for (let size = rowsPerPage - 1; size > rowsPerPage / 2; size--) {
    const page = Math.floor(index / size) + 1;
    const first = (page - 1) * size;
    requires.push({ page, per_page: size, margin: Math.min(index - first, first + size - index) });
  }
  return requires
    .filter(({ margin }) => margin > 0)
    .sort((a, b) => b.margin - a.margin)
    .map(({ page, per_page }) => ({ page, per_page }));
}

/** Maximum number of such pages to try before rows are reported as missing. */
export const MOST_BRIDGES = 4;

/** Returns true if the service answered with the previous page again. */
export function isSamePage(before: readonly number[], after: readonly number[]): boolean {
  return (
    before.length > 0 && before.length === after.length && before.every((id, index) => id === after[index])
  );
}
