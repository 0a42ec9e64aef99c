import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bridges, isSamePage, MOST_BRIDGES, repeats } from '../../../src/backend/sync/bridge.ts';

/** Of the two best bridges, what share of a page each has on either side at the least, as 1 in so many; the others have a row. */
const SHARES = [7, 14];

test('a bridge has the end of the page within it, with as many rows on either side as can be', () => {
  expect(bridges(200, 200)[0]).toEqual({ page: 2, per_page: 134 });
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 1, max: 5000 }), (rowsPerPage, page) => {
      const index = page * rowsPerPage;
      const asks = bridges(index, rowsPerPage);
      expect(asks.length).toBeGreaterThanOrEqual(MOST_BRIDGES);
      for (const [at, { page, per_page }] of asks.slice(0, MOST_BRIDGES).entries()) {
        expect(per_page).toBeLessThan(rowsPerPage);
        const share = SHARES[at];
        const least = share === undefined ? 1 : rowsPerPage / share;
        expect(index - (page - 1) * per_page).toBeGreaterThanOrEqual(least);
        expect(page * per_page - index).toBeGreaterThanOrEqual(least);
      }
    }),
    { numRuns: 500 },
  );
});

test('pages that share a row repeat; a page that came twice is told from one that follows', () => {
  expect(repeats([1, 2, 3], [3, 4])).toBe(true);
  expect(repeats([1, 2, 3], [4, 5])).toBe(false);
  expect(isSamePage([1, 2], [1, 2])).toBe(true);
  expect(isSamePage([1, 2], [2, 3])).toBe(false);
  expect(isSamePage([], [])).toBe(false);
});
