import { expect, test } from 'vitest';
import {
  addDays,
  findDayBetweenInstants,
  getDayEndInAllTimeZones,
  getEarliestLocalDay,
  getLatestLocalDay,
  isDayOverInAllTimeZones,
} from '../../../../src/backend/sync/shared/days-in-all-time-zones.ts';

const parseTime = (text: string) => Date.parse(text);
const dayIn = (ms: number, offsetHours: number) =>
  new Date(ms + offsetHours * 3_600_000).toISOString().slice(0, 10);

test('the earliest and latest days of an instant include its day in every time zone', () => {
  for (const hour of [0, 5, 10, 11, 12, 13, 18, 23]) {
    const ms = parseTime('2026-11-01T00:30:00Z') + hour * 3_600_000;
    for (let zone = -12; zone <= 14; zone++) {
      expect(getEarliestLocalDay(ms) <= dayIn(ms, zone)).toBe(true);
      expect(getLatestLocalDay(ms) >= dayIn(ms, zone)).toBe(true);
    }
    expect(getEarliestLocalDay(ms)).toBe(dayIn(ms, -12));
    expect(getLatestLocalDay(ms)).toBe(dayIn(ms, 14));
  }
});

test('a day is over an hour after it ends in the westernmost zone', () => {
  expect(getDayEndInAllTimeZones('2026-11-01')).toBe(parseTime('2026-11-02T12:00:00Z'));
  expect(isDayOverInAllTimeZones('2026-11-01', parseTime('2026-11-02T13:00:00Z'))).toBe(false);
  expect(isDayOverInAllTimeZones('2026-11-01', parseTime('2026-11-02T13:00:01Z'))).toBe(true);
});

test('days are added across ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});

test('a day between two instants is separate from both in every time zone, or null', () => {
  const day = findDayBetweenInstants(parseTime('2026-10-01T12:00:00Z'), parseTime('2026-10-11T12:00:00Z'));
  expect(day).toBe('2026-10-06');
  expect(findDayBetweenInstants(parseTime('2026-10-01T12:00:00Z'), parseTime('2026-10-03T12:00:00Z'))).toBe(
    null,
  );
});
