import { expect, test } from 'vitest';
import {
  addDays,
  dayBetween,
  earliestDay,
  endOfDay,
  isDayClosed,
  latestDay,
} from '../../../../src/backend/sync/shared/any-zone.ts';

const at = (text: string) => Date.parse(text);
const dayIn = (ms: number, offsetHours: number) =>
  new Date(ms + offsetHours * 3_600_000).toISOString().slice(0, 10);

test('the bounds of a moment hold in every zone there is', () => {
  for (const hour of [0, 5, 10, 11, 12, 13, 18, 23]) {
    const ms = at('2026-11-01T00:30:00Z') + hour * 3_600_000;
    for (let zone = -12; zone <= 14; zone++) {
      expect(earliestDay(ms) <= dayIn(ms, zone)).toBe(true);
      expect(latestDay(ms) >= dayIn(ms, zone)).toBe(true);
    }
    expect(earliestDay(ms)).toBe(dayIn(ms, -12));
    expect(latestDay(ms)).toBe(dayIn(ms, 14));
  }
});

test('a day is closed an hour after it ended in the westernmost zone', () => {
  expect(endOfDay('2026-11-01')).toBe(at('2026-11-02T12:00:00Z'));
  expect(isDayClosed('2026-11-01', at('2026-11-02T13:00:00Z'))).toBe(false);
  expect(isDayClosed('2026-11-01', at('2026-11-02T13:00:01Z'))).toBe(true);
});

test('days are counted over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});

test('a day between two moments lies apart from both in every zone, or there is none', () => {
  const day = dayBetween(at('2026-10-01T12:00:00Z'), at('2026-10-11T12:00:00Z'));
  expect(day).toBe('2026-10-06');
  expect(dayBetween(at('2026-10-01T12:00:00Z'), at('2026-10-03T12:00:00Z'))).toBe(null);
});
