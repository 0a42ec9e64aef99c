import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/backend/sync/shared/days-in-all-time-zones.ts';
import {
  getAssumedPageSize,
  isLastPageOfList,
  type ListPageSize,
  learnPageSize,
} from '../../../../src/backend/sync/shared/list-page-size.ts';
import {
  advanceWebhookWindow,
  countRowsBeforePage,
  createWebhookWindow,
  estimateRemainingWindowRows,
  estimateTotalRemainingRows,
  getNextWebhookWindowPage,
  splitLargestWebhookWindow,
  type WebhookWindow,
} from '../../../../src/backend/sync/webhooks/webhook-window.ts';

const DAY = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const now = Date.parse('2026-11-01T00:00:00Z');

/** Creates a window of which `days` days were read, with `perDay` rows a day. */
function createReadWindow(
  days: number,
  perDay: number,
  window = createWebhookWindow('a', null, null, null),
): WebhookWindow {
  const rows = days * perDay;
  return advanceWebhookWindow(window, rows, [start, start + days * DAY], false);
}

test('a window ends with its list, or when it reaches stored rows', () => {
  const window = createWebhookWindow('a', null, null, start + 10 * DAY);
  const on = advanceWebhookWindow(window, 200, [start, start + 10 * DAY], false);
  expect(on).toMatchObject({
    done: false,
    rows: 200,
    first_at: start,
    last_at: start + 10 * DAY,
  });
  expect(advanceWebhookWindow(on, 400, [start + 10 * DAY, start + 10 * DAY + 1], false).done).toBe(true);
  expect(advanceWebhookWindow(on, 220, [start + 10 * DAY], true).done).toBe(true);
  expect(advanceWebhookWindow(createWebhookWindow('b', null, null, null), 0, [], true)).toMatchObject({
    done: true,
    first_at: null,
  });
});

test('the next page contains the first unread row, for any previous page size', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 1000 }), (rows, size) => {
      const request = getNextWebhookWindowPage({ ...createWebhookWindow('a', null, null, null), rows }, size);
      expect(countRowsBeforePage(request)).toBeLessThanOrEqual(rows);
      expect(countRowsBeforePage(request) + size).toBeGreaterThan(rows);
    }),
  );
});

test('rows left are estimated from the density up to now, the last day or the stored rows', () => {
  const window = createReadWindow(10, 100);
  expect(estimateRemainingWindowRows(window, start + 30 * DAY)).toBeCloseTo(2000);
  expect(estimateRemainingWindowRows({ ...window, meets: start + 15 * DAY }, start + 30 * DAY)).toBeCloseTo(
    500,
  );
  expect(estimateRemainingWindowRows({ ...window, until: '2026-01-20' }, start + 90 * DAY)).toBeGreaterThan(
    900,
  );
  expect(estimateRemainingWindowRows({ ...window, done: true }, now)).toBe(0);
});

test("for a growing site, the next window's density is used for a window's end", () => {
  const perMs = (perDay: number) => perDay / DAY;
  const early = { ...createReadWindow(10, 100), meets: start + 30 * DAY };
  expect(estimateTotalRemainingRows([early], now, null)).toBeCloseTo(2000);
  expect(estimateTotalRemainingRows([early], now, perMs(300))).toBeCloseTo(20 * 200);
  const [from, to] = [start + 20 * DAY, start + 25 * DAY];
  const late = advanceWebhookWindow(
    createWebhookWindow('b', '2026-01-21', null, start + 30 * DAY),
    1000,
    [from, to],
    false,
  );
  const kept = { ...early, until: '2026-01-20', meets: null };
  expect(estimateTotalRemainingRows([late, kept], now, perMs(300))).toBeCloseTo(
    estimateRemainingWindowRows(kept, now, perMs(200)) + 5 * 250,
  );
});

test('a split leaves no day out and repeats none', () => {
  const window = createReadWindow(20, 1000);
  const halves = splitLargestWebhookWindow([window], now, 200, 'b');
  expect(halves).not.toBe(null);
  const { earlier, later } = halves as NonNullable<typeof halves>;
  expect(later.since).toBe(addDays(earlier.until as string, 1));
  expect(later).toMatchObject({ key: 'b', until: null, meets: window.meets, rows: 0, done: false });
  expect(earlier).toMatchObject({ key: 'a', since: null, meets: null, rows: window.rows });
});

test('a window is not split if that is not worth another request', () => {
  expect(splitLargestWebhookWindow([createReadWindow(290, 10)], now, 200, 'b')).toBe(null);
  expect(splitLargestWebhookWindow([createReadWindow(1, 100)], now, 200, 'b')).not.toBe(null);
  expect(splitLargestWebhookWindow([], now, 200, 'b')).toBe(null);
});

test('splitting takes no more than its share of the requests', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 100 }), (perDay, days) => {
      let windows: WebhookWindow[] = [createReadWindow(days, perDay)];
      for (let tries = 0; tries < 200; tries++) {
        const halves = splitLargestWebhookWindow(windows, now, 200, `w${tries}`);
        if (halves === null) break;
        const added = createReadWindow(1, perDay, halves.later);
        const first = Date.parse(`${halves.later.since}T00:00:00Z`);
        windows = windows.map((each) => (each.key === halves.earlier.key ? halves.earlier : each));
        windows.push({ ...added, first_at: first, last_at: first + DAY });
      }
      const pages = (perDay * 304) / 200;
      expect(windows.length - 1).toBeLessThanOrEqual(1 + pages * 0.05);
    }),
    { numRuns: 200 },
  );
});

test('a page size is learned only from pages that were followed by others', () => {
  const asked: ListPageSize = { asked: 200, effective: null };
  expect(isLastPageOfList(asked, 0)).toBe(true);
  expect(isLastPageOfList(asked, 200)).toBe(false);
  expect(isLastPageOfList(asked, 50)).toBe('unsure');
  const learned = learnPageSize(asked, 50);
  expect([isLastPageOfList(learned, 50), isLastPageOfList(learned, 49), getAssumedPageSize(learned)]).toEqual(
    [false, true, 50],
  );
  expect(learnPageSize(learned, 30)).toEqual(learned);
  expect(getAssumedPageSize(asked)).toBe(200);
});
