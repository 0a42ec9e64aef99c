import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/backend/sync/shared/any-zone.ts';
import { isLastPage, learn, type PageSize, pageRows } from '../../../../src/backend/sync/shared/page-size.ts';
import {
  firstOf,
  nextPage,
  openWindow,
  rowsAhead,
  rowsLeft,
  split,
  type Window,
  walked,
} from '../../../../src/backend/sync/webhooks/window.ts';

const DAY = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const now = Date.parse('2026-11-01T00:00:00Z');

/** A window that has been walked for `days` days at `perDay` rows a day. */
function walkedFor(days: number, perDay: number, window = openWindow('a', null, null, null)): Window {
  const rows = days * perDay;
  return walked(window, rows, [start, start + days * DAY], false);
}

test('a window ends with its list, or once it has met what the tail holds', () => {
  const window = openWindow('a', null, null, start + 10 * DAY);
  const on = walked(window, 200, [start, start + 10 * DAY], false);
  expect(on).toMatchObject({
    done: false,
    rows: 200,
    first_at: start,
    last_at: start + 10 * DAY,
  });
  expect(walked(on, 400, [start + 10 * DAY, start + 10 * DAY + 1], false).done).toBe(true);
  expect(walked(on, 220, [start + 10 * DAY], true).done).toBe(true);
  expect(walked(openWindow('b', null, null, null), 0, [], true)).toMatchObject({
    done: true,
    first_at: null,
  });
});

test('the page to read next holds the first row that is not read, whatever the size of those before it', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 1000 }), (rows, size) => {
      const ask = nextPage({ ...openWindow('a', null, null, null), rows }, size);
      expect(firstOf(ask)).toBeLessThanOrEqual(rows);
      expect(firstOf(ask) + size).toBeGreaterThan(rows);
    }),
  );
});

test('what is left is reckoned from the density so far, up to now, to the bound, or to what the tail holds', () => {
  const window = walkedFor(10, 100);
  expect(rowsLeft(window, start + 30 * DAY)).toBeCloseTo(2000);
  expect(rowsLeft({ ...window, meets: start + 15 * DAY }, start + 30 * DAY)).toBeCloseTo(500);
  expect(rowsLeft({ ...window, until: '2026-01-20' }, start + 90 * DAY)).toBeGreaterThan(900);
  expect(rowsLeft({ ...window, done: true }, now)).toBe(0);
});

test('a site that grows has more ahead of it than behind: what follows a window tells how dense its end is', () => {
  const perMs = (perDay: number) => perDay / DAY;
  const early = { ...walkedFor(10, 100), meets: start + 30 * DAY };
  expect(rowsAhead([early], now, null)).toBeCloseTo(2000);
  expect(rowsAhead([early], now, perMs(300))).toBeCloseTo(20 * 200);
  const [from, to] = [start + 20 * DAY, start + 25 * DAY];
  const late = walked(openWindow('b', '2026-01-21', null, start + 30 * DAY), 1000, [from, to], false);
  const kept = { ...early, until: '2026-01-20', meets: null };
  expect(rowsAhead([late, kept], now, perMs(300))).toBeCloseTo(rowsLeft(kept, now, perMs(200)) + 5 * 250);
});

test('a split leaves no day out and names none twice', () => {
  const window = walkedFor(20, 1000);
  const halves = split([window], now, 200, 'b');
  expect(halves).not.toBe(null);
  const { kept, added } = halves as NonNullable<typeof halves>;
  expect(added.since).toBe(addDays(kept.until as string, 1));
  expect(added).toMatchObject({ key: 'b', until: null, meets: window.meets, rows: 0, done: false });
  expect(kept).toMatchObject({ key: 'a', since: null, meets: null, rows: window.rows });
});

test('a window is not split where its half would not be worth a request more', () => {
  expect(split([walkedFor(290, 10)], now, 200, 'b')).toBe(null);
  expect(split([walkedFor(1, 100)], now, 200, 'b')).not.toBe(null);
  expect(split([], now, 200, 'b')).toBe(null);
});

test('splitting costs no more than its share of the requests, however often it is tried', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 100 }), (perDay, days) => {
      let windows: Window[] = [walkedFor(days, perDay)];
      for (let tries = 0; tries < 200; tries++) {
        const halves = split(windows, now, 200, `w${tries}`);
        if (halves === null) break;
        const added = walkedFor(1, perDay, halves.added);
        const first = Date.parse(`${halves.added.since}T00:00:00Z`);
        windows = windows.map((each) => (each.key === halves.kept.key ? halves.kept : each));
        windows.push({ ...added, first_at: first, last_at: first + DAY });
      }
      const pages = (perDay * 304) / 200;
      expect(windows.length - 1).toBeLessThanOrEqual(1 + pages * 0.05);
    }),
    { numRuns: 200 },
  );
});

test('a page size is learned from pages that others followed, never from what was asked', () => {
  const asked: PageSize = { asked: 200, effective: null };
  expect(isLastPage(asked, 0)).toBe(true);
  expect(isLastPage(asked, 200)).toBe(false);
  expect(isLastPage(asked, 50)).toBe('unsure');
  const learned = learn(asked, 50);
  expect([isLastPage(learned, 50), isLastPage(learned, 49), pageRows(learned)]).toEqual([false, true, 50]);
  expect(learn(learned, 30)).toEqual(learned);
  expect(pageRows(asked)).toBe(200);
});
