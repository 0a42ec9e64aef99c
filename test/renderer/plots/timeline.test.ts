import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coveredBy,
  cursorOver,
  moved,
  nextFrom,
  placeAt,
  type Stretch,
  within,
} from '../../../src/renderer/plots/timeline.ts';

const hours: Stretch[] = Array.from({ length: 24 }, (_, hour) => ({ from: hour * 60, to: hour * 60 + 60 }));
const hour = fc.integer({ min: 0, max: 23 });

describe('a timeline', () => {
  test('an instant stands in the stretch that holds it, its end in the next one', () => {
    expect(placeAt(0, hours)).toBe(0);
    expect(placeAt(59, hours)).toBe(0);
    expect(placeAt(60, hours)).toBe(1);
    expect(placeAt(-5, hours)).toBe(0);
    expect(placeAt(99_999, hours)).toBe(23);
    expect(placeAt(5, [])).toBe(0);
  });

  test('a cursor covers the same stretch whichever way it was drawn', () => {
    fc.assert(
      fc.property(hour, hour, (anchor, head) => {
        const covered = coveredBy({ anchor, head }, hours);
        expect(covered).toEqual(coveredBy({ anchor: head, head: anchor }, hours));
        expect(covered).toEqual({ from: Math.min(anchor, head) * 60, to: Math.max(anchor, head) * 60 + 60 });
        expect(coveredBy(cursorOver(covered as Stretch, hours), hours)).toEqual(covered);
      }),
    );
    expect(coveredBy({ anchor: 0, head: 30 }, hours)).toBeNull();
  });

  test('keys move it and stay within; with Shift its beginning stays', () => {
    expect(moved({ anchor: 3, head: 3 }, 'ArrowRight', false, 24)).toEqual({ anchor: 4, head: 4 });
    expect(moved({ anchor: 3, head: 3 }, 'ArrowRight', true, 24)).toEqual({ anchor: 3, head: 4 });
    expect(moved({ anchor: 3, head: 23 }, 'ArrowRight', true, 24)).toEqual({ anchor: 3, head: 23 });
    expect(moved({ anchor: 3, head: 0 }, 'ArrowLeft', false, 24)).toEqual({ anchor: 0, head: 0 });
    expect(moved({ anchor: 3, head: 3 }, 'End', true, 24)).toEqual({ anchor: 3, head: 23 });
    expect(moved({ anchor: 3, head: 3 }, 'a', false, 24)).toBeNull();
  });

  test('what lies in the window keeps its place, however short, and within the window', () => {
    const window = { from: 0, to: 1000 };
    expect(within({ from: 250, to: 500 }, window)).toEqual({ left: 0.25, width: 0.25 });
    expect(within({ from: 1000, to: 1200 }, window)).toBeNull();
    expect(within({ from: -50, to: 0 }, window)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 1500 }), fc.integer({ min: 1, max: 900 }), (from, length) => {
        const place = within({ from, to: from + length }, window, 0.02);
        if (place === null) return;
        expect(place.left).toBeGreaterThanOrEqual(0);
        expect(place.left + place.width).toBeLessThanOrEqual(1 + 1e-9);
        expect(place.width).toBeGreaterThanOrEqual(0.02);
      }),
    );
  });

  test('from mark to mark, either way', () => {
    const marks = [
      { from: 100, to: 200 },
      { from: 600, to: 700 },
    ];
    expect(nextFrom(100, marks, 1)).toBe(marks[1]);
    expect(nextFrom(600, marks, 1)).toBeNull();
    expect(nextFrom(600, marks, -1)).toBe(marks[0]);
    expect(nextFrom(0, marks, 1)).toBe(marks[0]);
  });
});
