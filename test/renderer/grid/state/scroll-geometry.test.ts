import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clampRowIndex,
  getPagesOfRows,
  getRowsInView,
  getRowTop,
  getScrollHeight,
  getScrollScale,
  getScrollTopAfterShift,
  getScrollTopToShowRow,
  MAX_SCROLL_HEIGHT_PX,
  type ScrollGeometry,
  shiftRowRange,
} from '../../../../src/renderer/grid/state/scroll-geometry.ts';

const geometry = fc.record({
  total: fc.integer({ min: 1, max: 5_000_000 }),
  rowHeight: fc.constantFrom(26, 32),
  viewportHeight: fc.integer({ min: 60, max: 1_400 }),
});
const maxScroll = (of: ScrollGeometry) => Math.max(0, getScrollHeight(of) - of.viewportHeight);

describe('virtual scrolling', () => {
  test('a short list is not scaled', () => {
    const of = { total: 1_000, rowHeight: 32, viewportHeight: 600 };
    expect(getScrollHeight(of)).toBe(32_000);
    expect(getRowsInView(of, 320)).toEqual({ first: 10, last: 28 });
    expect(getRowTop(of, 320, 10)).toBe(320);
  });

  test('a list of millions of rows fits the maximum height', () => {
    fc.assert(
      fc.property(geometry, (of) => {
        expect(getScrollHeight(of)).toBeLessThanOrEqual(MAX_SCROLL_HEIGHT_PX);
      }),
    );
  });

  test('the top shows the first row, the bottom the last, and every row can be scrolled into view', () => {
    fc.assert(
      fc.property(geometry, fc.double({ min: 0, max: 1, noNaN: true }), (of, at) => {
        expect(getRowsInView(of, 0).first).toBe(0);
        expect(getRowsInView(of, maxScroll(of)).last).toBe(of.total - 1);
        const index = Math.floor(at * (of.total - 1));
        const scroll = getScrollTopToShowRow(of, 0, index);
        expect(scroll).toBeGreaterThanOrEqual(0);
        expect(scroll).toBeLessThanOrEqual(maxScroll(of) + 1);
        const { first, last } = getRowsInView(of, scroll);
        expect(index).toBeGreaterThanOrEqual(first);
        expect(index).toBeLessThanOrEqual(last);
      }),
    );
  });

  test('rows in view are positioned within the viewport', () => {
    fc.assert(
      fc.property(geometry, fc.double({ min: 0, max: 1, noNaN: true }), (of, at) => {
        const scroll = at * maxScroll(of);
        const { first, last } = getRowsInView(of, scroll);
        expect(getRowTop(of, scroll, first)).toBeLessThanOrEqual(scroll + 0.01);
        expect(getRowTop(of, scroll, last)).toBeLessThanOrEqual(scroll + of.viewportHeight);
        expect(getRowTop(of, scroll, first + 1) - getRowTop(of, scroll, first)).toBeCloseTo(of.rowHeight, 3);
      }),
    );
  });

  test('scrolling to a visible row does not move the view', () => {
    const of = { total: 1_000, rowHeight: 32, viewportHeight: 640 };
    expect(getScrollTopToShowRow(of, 320, 12)).toBe(320);
    expect(getScrollTopToShowRow(of, 320, 9)).toBe(288);
    expect(getScrollTopToShowRow(of, 320, 30)).toBe(352);
  });

  test('rows inserted above shift the scroll position', () => {
    const of = { total: 1_000, rowHeight: 32, viewportHeight: 640 };
    expect(getScrollTopAfterShift(of, 320, 5)).toBe(480);
    expect(getScrollTopAfterShift(of, 32, -5)).toBe(0);
    const tall = { total: 2_000_000, rowHeight: 32, viewportHeight: 640 };
    const before = getRowsInView(tall, 1_000_000).first;
    expect(getRowsInView(tall, getScrollTopAfterShift(tall, 1_000_000, 1_000)).first - before).toBe(1_000);
    expect(getScrollScale(tall)).toBeGreaterThan(5);
  });
});

describe('pages', () => {
  test.each([
    [{ first: 0, last: 0 }, [0]],
    [{ first: 199, last: 200 }, [0, 1]],
    [{ first: 400, last: 999 }, [2, 3, 4]],
    [{ first: 0, last: -1 }, []],
  ])('the rows %o are in pages %o', (rows, pages) => expect(getPagesOfRows(rows)).toEqual(pages));

  test('every row in view is in one of its pages', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(500), (first, more) => {
        const pages = getPagesOfRows({ first, last: first + more });
        expect(pages[0]! * 200).toBeLessThanOrEqual(first);
        expect((pages.at(-1)! + 1) * 200).toBeGreaterThan(first + more);
      }),
    );
  });

  test('a shift does not move the view beyond the list', () => {
    expect(shiftRowRange({ first: 90, last: 99 }, 50, 100)).toEqual({ first: 99, last: 99 });
    expect(shiftRowRange({ first: 3, last: 9 }, -5, 100)).toEqual({ first: 0, last: 4 });
    expect(clampRowIndex(5, 0)).toBe(0);
  });
});
