import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDay,
  formatDecimalAmount,
  formatDuration,
  formatMinute,
  formatMoney,
  formatNumber,
} from '../../../src/cli/output/format-values.ts';

describe('value formatting', () => {
  test('amounts of any size are exact to the cent', () => {
    expect(formatMoney(0)).toBe('0.00');
    expect(formatMoney(5)).toBe('0.05');
    expect(formatMoney(-5)).toBe('-0.05');
    expect(formatMoney(123_456_789)).toBe('1,234,567.89');
    expect(formatMoney(Number.MAX_SAFE_INTEGER)).toBe('90,071,992,547,409.91');
    expect(formatMoney(null)).toBe('');
  });

  test('formatted amounts can be parsed to the same number of cents', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(BigInt(formatMoney(cents).replace(/[,.]/g, ''))).toBe(BigInt(cents));
        expect(BigInt(formatDecimalAmount(cents).replace('.', ''))).toBe(BigInt(cents));
      }),
    );
  });

  test('timestamps are not converted to another time zone', () => {
    expect(formatMinute('2026-10-03T14:05:59-04:00')).toBe('2026-10-03 14:05');
    expect(formatDay('2026-10-03 23:59:59 -0500')).toBe('2026-10-03');
    expect(formatMinute('some day')).toBe('some day');
    expect(formatMinute(null)).toBe('');
  });

  test('durations and ages use their two largest units', () => {
    expect(formatDuration(160)).toBe('0.2 s');
    expect(formatDuration(3000)).toBe('3 s');
    expect(formatDuration(45_000)).toBe('45 s');
    expect(formatDuration(200_000)).toBe('3 min 20 s');
    expect(formatDuration(7_500_000)).toBe('2 h 5 min');
    expect(formatDuration(90_000_000)).toBe('1 d 1 h');
    const now = Date.parse('2026-11-01T12:00:00Z');
    expect(formatAge('2026-11-01T11:46:00Z', now)).toBe('14 min ago');
    expect(formatAge('2026-11-01T11:59:50Z', now)).toBe('just now');
    expect(formatAge(null, now)).toBe('never');
  });

  test('formats figures in English', () => {
    const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
    const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });
    const tenth = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.double({ min: 0, max: 1e9, noNaN: true }), (cents, rate) => {
        expect(formatMoney(cents)).toBe(amount.format(formatDecimalAmount(cents)));
        expect(formatNumber(rate)).toBe(whole.format(rate));
        expect(formatNumber(cents)).toBe(whole.format(cents));
      }),
    );
    for (let ms = 0; ms < 9950; ms += 7) expect(formatDuration(ms)).toBe(`${tenth.format(ms / 1000)} s`);
  });

  test('formats counts and sizes', () => {
    expect(formatCount(1, 'webhook')).toBe('1 webhook');
    expect(formatCount(12_345, 'webhook')).toBe('12,345 webhooks');
    expect(formatBytes(999)).toBe('999 B');
    expect(formatBytes(61_440)).toBe('61 kB');
    expect(formatBytes(2_000_000)).toBe('2 MB');
  });
});
