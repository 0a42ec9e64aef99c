import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, formatDecimal, formatMoney } from '../../../src/renderer/texts/money.ts';

describe('amount formatting', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [100, '1.00'],
    [-123_456, '-1234.56'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('formats %d cents as %s', (cents, text) => expect(formatDecimal(cents)).toBe(text));

  test('formats every amount so that it can be parsed back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(BigInt(formatDecimal(cents).replace('.', ''))).toBe(BigInt(cents));
      }),
    );
  });

  test('shows every digit of large amounts', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d{3})/, '');
        expect(digits(formatAmount(cents, 'en-US'))).toBe(digits(formatDecimal(cents)));
      }),
    );
  });

  test('rejects fractions of a cent', () => {
    expect(() => formatDecimal(0.5)).toThrow(RangeError);
    expect(() => formatDecimal(2 ** 53)).toThrow(RangeError);
  });

  test('uses a minus sign and the locale’s thousands separators', () => {
    expect(formatAmount(-123_456, 'en-US')).toBe('\u22121,234.56');
    expect(formatAmount(123_456, 'de-DE')).toBe('1.234,56');
    expect(formatMoney(-5, 'USD', 'en-US')).toBe('\u2212$0.05');
    expect(formatMoney(9_007_199_254_740_991, 'EUR', 'en-US')).toBe('€90,071,992,547,409.91');
  });
});
