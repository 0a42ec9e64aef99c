import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bridges, isSamePage, MOST_BRIDGES, repeats } from '../../../../src/backend/sync/shared/bridge.ts';

/** Of the two best bridges, what share of a page each has on either side at the least, as 1 in so many; the others have a row. */
const SHARES = [8, 12];

test('a bridge has the end of the page within it, with as many rows on either side as can be', () => {
  expect(bridges(200, 200)[0]).toEqual({ page: 2, per_page: 134 });
  fc.assert(fc.property(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 1, max: 5000 }), holdsTheEnd), {
    numRuns: 500,
    examples: [
      [22, 2520],
      [20, 2772],
      [30, 2520],
    ],
  });
});

/** The places that most sizes divide are the worst: there are few of them, so every page of small pages is looked at. */
test('the same at every end of small pages', () => {
  for (let rowsPerPage = 20; rowsPerPage < 40; rowsPerPage++) {
    for (let page = 1; page <= 3000; page++) holdsTheEnd(rowsPerPage, page);
  }
});

function holdsTheEnd(rowsPerPage: number, pages: number): void {
  const index = pages * rowsPerPage;
  const requires = bridges(index, rowsPerPage);
  // Of pages below 30 rows a very few ends have three bridges alone.
  const found = requires.length >= (rowsPerPage < 30 ? MOST_BRIDGES - 1 : MOST_BRIDGES);
  const placed = requires.slice(0, MOST_BRIDGES).every(({ page, per_page }, at) => {
    const share = SHARES[at];
    const least = share === undefined ? 1 : rowsPerPage / share;
    const margin = Math.min(index - (page - 1) * per_page, page * per_page - index);
    return per_page < rowsPerPage && margin >= least;
  });
  if (!found || !placed)
    expect.fail(`${rowsPerPage} a page, behind page ${pages}: ${JSON.stringify(requires)}`);
}

test('pages that share a row repeat; a page that came twice is told from one that follows', () => {
  expect(repeats([1, 2, 3], [3, 4])).toBe(true);
  expect(repeats([1, 2, 3], [4, 5])).toBe(false);
  expect(isSamePage([1, 2], [1, 2])).toBe(true);
  expect(isSamePage([1, 2], [2, 3])).toBe(false);
  expect(isSamePage([], [])).toBe(false);
});
