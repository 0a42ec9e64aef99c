import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRangeCursor,
  findNextRange,
  findRangeIndexAt,
  getCursorTimeRange,
  getPositionInTimeWindow,
  moveTimeRangeCursor,
  type TimeRange,
} from '../../../src/renderer/plots/time-ranges.ts';

const hourlyRanges: TimeRange[] = Array.from({ length: 24 }, (_, hour) => ({
  from: hour * 60,
  to: hour * 60 + 60,
}));
const hour = fc.integer({ min: 0, max: 23 });

describe('time range selection', () => {
  test('assigns a time to the range that contains it, and the end of a range to the next range', () => {
    expect(findRangeIndexAt(0, hourlyRanges)).toBe(0);
    expect(findRangeIndexAt(59, hourlyRanges)).toBe(0);
    expect(findRangeIndexAt(60, hourlyRanges)).toBe(1);
    expect(findRangeIndexAt(-5, hourlyRanges)).toBe(0);
    expect(findRangeIndexAt(99_999, hourlyRanges)).toBe(23);
    expect(findRangeIndexAt(5, [])).toBe(0);
  });

  test('covers the same range in either direction of the cursor', () => {
    fc.assert(
      fc.property(hour, hour, (anchor, head) => {
        const covered = getCursorTimeRange({ anchor, head }, hourlyRanges);
        expect(covered).toEqual(getCursorTimeRange({ anchor: head, head: anchor }, hourlyRanges));
        expect(covered).toEqual({ from: Math.min(anchor, head) * 60, to: Math.max(anchor, head) * 60 + 60 });
        expect(
          getCursorTimeRange(createRangeCursor(covered as TimeRange, hourlyRanges), hourlyRanges),
        ).toEqual(covered);
      }),
    );
    expect(getCursorTimeRange({ anchor: 0, head: 30 }, hourlyRanges)).toBeNull();
  });

  test('moves the cursor within bounds, and keeps the anchor with Shift', () => {
    expect(moveTimeRangeCursor({ anchor: 3, head: 3 }, 'ArrowRight', false, 24)).toEqual({
      anchor: 4,
      head: 4,
    });
    expect(moveTimeRangeCursor({ anchor: 3, head: 3 }, 'ArrowRight', true, 24)).toEqual({
      anchor: 3,
      head: 4,
    });
    expect(moveTimeRangeCursor({ anchor: 3, head: 23 }, 'ArrowRight', true, 24)).toEqual({
      anchor: 3,
      head: 23,
    });
    expect(moveTimeRangeCursor({ anchor: 3, head: 0 }, 'ArrowLeft', false, 24)).toEqual({
      anchor: 0,
      head: 0,
    });
    expect(moveTimeRangeCursor({ anchor: 3, head: 3 }, 'End', true, 24)).toEqual({ anchor: 3, head: 23 });
    expect(moveTimeRangeCursor({ anchor: 3, head: 3 }, 'a', false, 24)).toBeNull();
  });

  test('clamps a range to the window and to a minimum width', () => {
    const window = { from: 0, to: 1000 };
    expect(getPositionInTimeWindow({ from: 250, to: 500 }, window)).toEqual({ left: 0.25, width: 0.25 });
    expect(getPositionInTimeWindow({ from: 1000, to: 1200 }, window)).toBeNull();
    expect(getPositionInTimeWindow({ from: -50, to: 0 }, window)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 1500 }), fc.integer({ min: 1, max: 900 }), (from, length) => {
        const place = getPositionInTimeWindow({ from, to: from + length }, window, 0.02);
        if (place === null) return;
        expect(place.left).toBeGreaterThanOrEqual(0);
        expect(place.left + place.width).toBeLessThanOrEqual(1 + 1e-9);
        expect(place.width).toBeGreaterThanOrEqual(0.02);
      }),
    );
  });

  test('finds the next and the previous range', () => {
    const marks = [
      { from: 100, to: 200 },
      { from: 600, to: 700 },
    ];
    expect(findNextRange(100, marks, 1)).toBe(marks[1]);
    expect(findNextRange(600, marks, 1)).toBeNull();
    expect(findNextRange(600, marks, -1)).toBe(marks[0]);
    expect(findNextRange(0, marks, 1)).toBe(marks[0]);
  });
});
