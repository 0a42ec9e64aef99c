import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ago,
  count,
  counted,
  day,
  decimalOf,
  minute,
  money,
  size,
  span,
} from '../../../src/cli/output/figures.ts';

describe('figures', () => {
  test('money is exact to the last cent, however large', () => {
    expect(money(0)).toBe('0.00');
    expect(money(5)).toBe('0.05');
    expect(money(-5)).toBe('-0.05');
    expect(money(123_456_789)).toBe('1,234,567.89');
    expect(money(Number.MAX_SAFE_INTEGER)).toBe('90,071,992,547,409.91');
    expect(money(null)).toBe('');
  });

  test('money can be read back to the same cents', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(BigInt(money(cents).replace(/[,.]/g, ''))).toBe(BigInt(cents));
        expect(BigInt(decimalOf(cents).replace('.', ''))).toBe(BigInt(cents));
      }),
    );
  });

  test('moments stay in the offset the service wrote', () => {
    expect(minute('2026-10-03T14:05:59-04:00')).toBe('2026-10-03 14:05');
    expect(day('2026-10-03 23:59:59 -0500')).toBe('2026-10-03');
    expect(minute('some day')).toBe('some day');
    expect(minute(null)).toBe('');
  });

  test('spans and ages are said in their two largest units', () => {
    expect(span(160)).toBe('0.2 s');
    expect(span(3000)).toBe('3 s');
    expect(span(45_000)).toBe('45 s');
    expect(span(200_000)).toBe('3 min 20 s');
    expect(span(7_500_000)).toBe('2 h 5 min');
    expect(span(90_000_000)).toBe('1 d 1 h');
    const now = Date.parse('2026-11-01T12:00:00Z');
    expect(ago('2026-11-01T11:46:00Z', now)).toBe('14 min ago');
    expect(ago('2026-11-01T11:59:50Z', now)).toBe('just now');
    expect(ago(null, now)).toBe('never');
  });

  test('figures are written as the language has them', () => {
    const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
    const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });
    const tenth = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.double({ min: 0, max: 1e9, noNaN: true }), (cents, rate) => {
        expect(money(cents)).toBe(amount.format(decimalOf(cents)));
        expect(count(rate)).toBe(whole.format(rate));
        expect(count(cents)).toBe(whole.format(cents));
      }),
    );
    for (let ms = 0; ms < 9950; ms += 7) expect(span(ms)).toBe(`${tenth.format(ms / 1000)} s`);
  });

  test('counts and sizes', () => {
    expect(counted(1, 'webhook')).toBe('1 webhook');
    expect(counted(12_345, 'webhook')).toBe('12,345 webhooks');
    expect(size(999)).toBe('999 B');
    expect(size(61_440)).toBe('61 kB');
    expect(size(2_000_000)).toBe('2 MB');
  });
});
