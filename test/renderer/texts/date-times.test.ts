import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createTickFormatter,
  formatDate,
  formatDateTime,
  formatDateTimeTooltip,
  formatDateTimeWithOffset,
  formatDateTimeWithSeconds,
  formatLocalDay,
  formatTimeAgo,
  getSiteToday,
  parseDateTime,
} from '../../../src/renderer/texts/date-times.ts';
import {
  describeDisplayZone,
  formatZoneOffsets,
  setDisplayZone,
} from '../../../src/renderer/texts/display-zone.ts';

const berlin = { locale: 'en-GB', timeZone: 'Europe/Berlin' };

describe('dates and times', () => {
  test.each([
    ['2026-10-07T14:02:11-05:00', Date.UTC(2026, 9, 7, 19, 2, 11)],
    ['2026-10-07T19:02:11Z', Date.UTC(2026, 9, 7, 19, 2, 11)],
    ['2016-11-08 16:22:18 -0500', Date.UTC(2016, 10, 8, 21, 22, 18)],
    ['2016-11-08 16:22:18 UTC', Date.UTC(2016, 10, 8, 16, 22, 18)],
  ])('the date and time %s is parsed', (text, ms) => expect(parseDateTime(text)).toBe(ms));

  test('text that is not a date is shown unchanged', () => {
    expect(parseDateTime('soon')).toBeNull();
    expect(formatDateTime('soon', berlin)).toBe('soon');
    expect(formatDateTimeTooltip('soon')).toBe('As sent: soon');
  });

  test('times use the user’s time zone across midnight and daylight saving changes', () => {
    expect(formatDateTime('2026-10-07T23:30:00Z', berlin)).toBe('8 Oct 2026, 01:30');
    expect(formatDateTime('2026-12-07T23:30:00Z', berlin)).toBe('8 Dec 2026, 00:30');
    expect(formatDateTimeWithSeconds('2026-10-07T12:00:05-05:00', berlin)).toBe('7 Oct 2026, 19:00:05');
    expect(formatLocalDay('2026-10-07T23:30:00Z', berlin)).toBe('8 Oct 2026');
  });

  test('copied times are in the display zone and end with its offset', () => {
    const format = (text: string, timeZone: string) => formatDateTimeWithOffset(text, { timeZone });
    expect(format('2026-10-27T03:32:09+13:00', 'America/New_York')).toBe('2026-10-26T10:32:09-04:00');
    expect(format('2026-01-27 20:32:09 -0500', 'Asia/Kolkata')).toBe('2026-01-28T07:02:09+05:30');
    expect(format('2026-10-26T23:59:59.250-04:00', 'UTC')).toBe('2026-10-27T03:59:59Z');
    expect(format('2026-06-01T00:00:00Z', '-03:30')).toBe('2026-05-31T20:30:00-03:30');
    expect(format('soon', 'UTC')).toBe('soon');
    expect(format('', 'UTC')).toBe('');
  });

  test('a zone that is an offset is shown in browsers that accept only names of zones', () => {
    const Native = Intl.DateTimeFormat;
    class OlderDateTimeFormat extends Native {
      constructor(locale?: string, options?: Intl.DateTimeFormatOptions) {
        if (/^[+-]/.test(options?.timeZone ?? '')) throw new RangeError('Invalid time zone specified');
        super(locale, options);
      }
    }
    Object.assign(Intl, { DateTimeFormat: OlderDateTimeFormat });
    onTestFinished(() => {
      Object.assign(Intl, { DateTimeFormat: Native });
      setDisplayZone('mine', null);
    });
    setDisplayZone('site', '+11:17');
    expect(formatDateTime('2026-10-26T20:05:00Z', { locale: 'en-GB' })).toBe('27 Oct 2026, 07:22');
    expect(formatDateTimeWithOffset('2026-10-26T20:05:00Z')).toBe('2026-10-27T07:22:00+11:17');
    expect(describeDisplayZone()).toBe('Site time, UTC+11:17');
    expect(createTickFormatter('hour')(Date.UTC(2026, 9, 26, 20, 5))).toMatch(/07/);
    expect(getSiteToday(Date.parse('2026-10-26T20:05:00Z'))).toBe('2026-10-27');
  });

  test('the display zone applies unless another zone is given, and today is the site’s date', () => {
    setDisplayZone('site', 'Pacific/Auckland');
    expect(formatDateTime('2026-10-26T21:05:00-04:00', { locale: 'en-GB' })).toBe('27 Oct 2026, 14:05');
    expect(describeDisplayZone()).toBe('Site time, UTC+12/+13');
    setDisplayZone('utc', 'Pacific/Auckland');
    expect(formatDateTime('2026-10-26T21:05:00-04:00', { locale: 'en-GB' })).toBe('27 Oct 2026, 01:05');
    expect(getSiteToday(Date.parse('2026-10-26T08:05:00-04:00'))).toBe('2026-10-27');
    setDisplayZone('mine', null);
    expect(getSiteToday(Date.parse('2026-10-26T21:05:00-04:00'))).toBe('2026-10-27');
  });

  test.each([
    ['America/New_York', 'UTC−5/−4'],
    ['America/St_Johns', 'UTC−3:30/−2:30'],
    ['Asia/Kolkata', 'UTC+5:30'],
    ['Europe/London', 'UTC+0/+1'],
    ['-03:00', 'UTC−3'],
    ['UTC', 'UTC'],
  ])('the offsets of %s are %s', (zone, offsets) => expect(formatZoneOffsets(zone, 2026)).toBe(offsets));

  test('calendar dates have no time zone', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(formatDate('2026-10-07', { locale: 'en-GB', timeZone })).toBe('7 Oct 2026');
    }
  });

  test('the tooltip shows the UTC time and the text that the service sent', () => {
    expect(formatDateTimeTooltip('2026-10-07T14:02:11-05:00')).toBe(
      '2026-10-07 19:02:11 UTC\nAs sent: 2026-10-07T14:02:11-05:00',
    );
  });

  test.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [14 * 60_000, '14 min ago'],
    [3_600_000, '1 hr ago'],
    [3 * 86_400_000, '3 days ago'],
    [-5_000, 'just now'],
  ])('a time %d ms ago is shown as %s', (past, text) =>
    expect(formatTimeAgo(1e12 - past, 1e12, 'en-US')).toBe(text),
  );
});
