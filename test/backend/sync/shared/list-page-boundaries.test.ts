import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  doPagesOverlap,
  isRepeatedPage,
  listPagesAcrossBoundary,
  MAX_PAGES_ACROSS_BOUNDARY,
} from '../../../../src/backend/sync/shared/list-page-boundaries.ts';

/**
 * Minimum margins of the two best pages across a boundary, as fractions of a page (1/8 and 1/12). All others have at
 * least one row.
 */
const MARGIN_DIVISORS = [8, 12];

test('pages across a boundary have the widest possible margins', () => {
  expect(listPagesAcrossBoundary(200, 200)[0]).toEqual({ page: 2, per_page: 134 });
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 1, max: 5000 }),
      expectPagesAcrossBoundary,
    ),
    {
      numRuns: 500,
      examples: [
        [22, 2520],
        [20, 2772],
        [30, 2520],
      ],
    },
  );
});

/** Boundaries that many page sizes divide are the worst case. Small pages have few such boundaries, so all are tested. */
test('pages across a boundary exist at every boundary of small pages', () => {
  for (let rowsPerPage = 20; rowsPerPage < 40; rowsPerPage++) {
    for (let page = 1; page <= 3000; page++) expectPagesAcrossBoundary(rowsPerPage, page);
  }
});

function expectPagesAcrossBoundary(rowsPerPage: number, pages: number): void {
  const index = pages * rowsPerPage;
  const requires = listPagesAcrossBoundary(index, rowsPerPage);
  // With fewer than 30 rows per page, a few boundaries have only three such pages.
  const found =
    requires.length >= (rowsPerPage < 30 ? MAX_PAGES_ACROSS_BOUNDARY - 1 : MAX_PAGES_ACROSS_BOUNDARY);
  const placed = requires.slice(0, MAX_PAGES_ACROSS_BOUNDARY).every(({ page, per_page }, at) => {
    const share = MARGIN_DIVISORS[at];
    const least = share === undefined ? 1 : rowsPerPage / share;
    const margin = Math.min(index - (page - 1) * per_page, page * per_page - index);
    return per_page < rowsPerPage && margin >= least;
  });
  if (!found || !placed)
    expect.fail(`${rowsPerPage} a page, behind page ${pages}: ${JSON.stringify(requires)}`);
}

test('detects pages that share a row, and repeated pages', () => {
  expect(doPagesOverlap([1, 2, 3], [3, 4])).toBe(true);
  expect(doPagesOverlap([1, 2, 3], [4, 5])).toBe(false);
  expect(isRepeatedPage([1, 2], [1, 2])).toBe(true);
  expect(isRepeatedPage([1, 2], [2, 3])).toBe(false);
  expect(isRepeatedPage([], [])).toBe(false);
});
