import { describe, expect, test } from 'vitest';
import {
  agoText,
  dateText,
  dayText,
  instantOf,
  momentSecondsText,
  momentText,
  momentTitle,
} from '../../../src/renderer/words/moments.ts';

const berlin = { locale: 'en-GB', timeZone: 'Europe/Berlin' };

describe('moments', () => {
  test.each([
    ['2026-10-07T14:02:11-05:00', Date.UTC(2026, 9, 7, 19, 2, 11)],
    ['2026-10-07T19:02:11Z', Date.UTC(2026, 9, 7, 19, 2, 11)],
    ['2016-11-08 16:22:18 -0500', Date.UTC(2016, 10, 8, 21, 22, 18)],
    ['2016-11-08 16:22:18 UTC', Date.UTC(2016, 10, 8, 16, 22, 18)],
  ])('%s is understood', (text, ms) => expect(instantOf(text)).toBe(ms));

  test('what is no moment is shown as it is', () => {
    expect(instantOf('soon')).toBeNull();
    expect(momentText('soon', berlin)).toBe('soon');
    expect(momentTitle('soon')).toBe('As sent: soon');
  });

  test('in the zone of the user, across its midnight and its summer time', () => {
    expect(momentText('2026-10-07T23:30:00Z', berlin)).toBe('8 Oct 2026, 01:30');
    expect(momentText('2026-12-07T23:30:00Z', berlin)).toBe('8 Dec 2026, 00:30');
    expect(momentSecondsText('2026-10-07T12:00:05-05:00', berlin)).toBe('7 Oct 2026, 19:00:05');
    expect(dayText('2026-10-07T23:30:00Z', berlin)).toBe('8 Oct 2026');
  });

  test('a calendar date has no zone', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(dateText('2026-10-07', { locale: 'en-GB', timeZone })).toBe('7 Oct 2026');
    }
  });

  test('a hover tells UTC and the text as sent', () => {
    expect(momentTitle('2026-10-07T14:02:11-05:00')).toBe(
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
  ])('%d ms ago is %s', (past, text) => expect(agoText(1e12 - past, 1e12, 'en-US')).toBe(text));
});
