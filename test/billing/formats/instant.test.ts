import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpDate } from '../../../src/billing/formats/instant.ts';
import { hasTimeZone, parseInstant } from '../../../src/billing/index.ts';

describe('parsing dates and times', () => {
  it.each([
    ['2016-11-08T16:22:26-05:00', '2016-11-08T21:22:26.000Z'],
    ['2016-12-08T19:09:15Z', '2016-12-08T19:09:15.000Z'],
    ['2016-11-08 16:22:18 -0500', '2016-11-08T21:22:18.000Z'],
    ['2016-11-08 16:22:18 UTC', '2016-11-08T16:22:18.000Z'],
    ['2016-11-08T16:22:26.1239+05:30', '2016-11-08T10:52:26.123Z'],
    ['2016-02-29T23:59:60Z', '2016-03-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('accepts %s', (text, iso) => {
    expect(new Date(parseInstant(text) as number).toISOString()).toBe(iso);
    expect(hasTimeZone(text)).toBe(true);
  });

  it('assumes UTC for a time without a time zone and reports that', () => {
    expect(parseInstant('2016-07-08T16:22:26')).toBe(Date.UTC(2016, 6, 8, 16, 22, 26));
    expect(hasTimeZone('2016-07-08T16:22:26')).toBe(false);
    expect(hasTimeZone('2016-07-08 16:22:26.5')).toBe(false);
  });

  it.each([
    '',
    '2016-11-08',
    '2016-11-08T16:22',
    '2016-02-30T00:00:00Z',
    '2015-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2016-13-01T00:00:00Z',
    '2016-00-01T00:00:00Z',
    '2016-11-00T00:00:00Z',
    '2016-11-08T24:00:00Z',
    '2016-11-08T16:60:00Z',
    '2016-11-08T16:22:26+24:00',
    '2016-11-08T16:22:26+05:60',
    '2016-11-08T16:22:26 ',
    '2016-11-08T16:22:26.Z',
    '2016-11-08T16:22:26 EST',
    '2016-11-08T16:22:26Zulu',
    '2016-11-08T16:22:26-05:00 or so',
    '2016/11/08 16:22:26 -0500',
    'Tue, 08 Nov 2016 21:22:26 GMT',
    '20161108T162226Z',
    '２０16-11-08T16:22:26Z',
  ])('rejects %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('agrees with the platform’s calendar for every time and offset', () => {
    const moment = fc.integer({ min: Date.UTC(1, 0, 1) + 86_400_000, max: Date.UTC(9999, 11, 30) });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(moment, offset, fc.constantFrom('T', ' '), (at, minutes, separator) => {
        const whole = Math.floor(at / 1000) * 1000;
        const shown = new Date(whole + minutes * 60_000).toISOString().slice(0, 19).replace('T', separator);
        const hh = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
        const mm = String(Math.abs(minutes) % 60).padStart(2, '0');
        const sign = minutes < 0 ? '-' : '+';
        const zone = separator === 'T' ? `${sign}${hh}:${mm}` : ` ${sign}${hh}${mm}`;
        expect(parseInstant(shown + zone)).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts only HTTP dates in HTTP headers', () => {
    expect(parseHttpDate('Tue, 08 Nov 2016 21:22:26 GMT')).toBe(Date.UTC(2016, 10, 8, 21, 22, 26));
    for (const text of ['Tue, 08 Nov 2016 21:22:26', '2016-11-08T21:22:26Z', 'soon', undefined]) {
      expect(parseHttpDate(text)).toBeNull();
    }
  });
});
