import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountText, decimalOf, moneyText } from '../../../src/renderer/words/money.ts';

describe('money as text', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [100, '1.00'],
    [-123_456, '-1234.56'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('%d cents are %s', (cents, text) => expect(decimalOf(cents)).toBe(text));

  test('every cent survives', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(BigInt(decimalOf(cents).replace('.', ''))).toBe(BigInt(cents));
      }),
    );
  });

  test('every digit is shown, whatever the size', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+(?=\d{3})/, '');
        expect(digits(amountText(cents, 'en-US'))).toBe(digits(decimalOf(cents)));
      }),
    );
  });

  test('a fraction of a cent is refused', () => {
    expect(() => decimalOf(0.5)).toThrow(RangeError);
    expect(() => decimalOf(2 ** 53)).toThrow(RangeError);
  });

  test('with a true minus, thousands apart, by locale', () => {
    expect(amountText(-123_456, 'en-US')).toBe('\u22121,234.56');
    expect(amountText(123_456, 'de-DE')).toBe('1.234,56');
    expect(moneyText(-5, 'USD', 'en-US')).toBe('\u2212$0.05');
    expect(moneyText(9_007_199_254_740_991, 'EUR', 'en-US')).toBe('€90,071,992,547,409.91');
  });
});
