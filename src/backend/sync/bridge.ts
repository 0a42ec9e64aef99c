import type { PageAsk } from './pages.ts';

/**
 * Rows of one moment may stand in another order with each request. Where such rows lie on both sides of a page's end, the
 * next page may repeat one of them, and lose another: a loss always comes with a repetition. A page of another size that
 * has the place in its middle then shows them all.
 */
export function repeats(before: readonly number[], after: readonly number[]): boolean {
  const seen = new Set(before);
  return after.some((id) => seen.has(id));
}

/** Pages, the best first, that have the place behind the first `index` rows as far from their edges as can be. */
export function bridges(index: number, rowsPerPage: number): PageAsk[] {
  const asks: (PageAsk & { margin: number })[] = [];
  for (let size = rowsPerPage - 1; size > rowsPerPage / 2; size--) {
    const page = Math.floor(index / size) + 1;
    const first = (page - 1) * size;
    asks.push({ page, per_page: size, margin: Math.min(index - first, first + size - index) });
  }
  return asks
    .filter(({ margin }) => margin > 0)
    .sort((a, b) => b.margin - a.margin)
    .map(({ page, per_page }) => ({ page, per_page }));
}

/** How many of the best bridges are tried before rows are called missing. */
export const MOST_BRIDGES = 4;

/** Whether a page came again in the place of the one asked for. */
export function isSamePage(before: readonly number[], after: readonly number[]): boolean {
  return (
    before.length > 0 && before.length === after.length && before.every((id, index) => id === after[index])
  );
}
