import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeDecimal, toExactNumber, toExactQuantity } from '../../../src/billing/formats/decimal.ts';

describe('exact decimals', () => {
  it.each([
    ['2.50', '2.5'],
    ['+0002.500', '2.5'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['1e3', '1000'],
    ['1.25e-3', '0.00125'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.1'],
  ])('normalize %s to %s', (text, plain) => {
    expect(normalizeDecimal(text)).toBe(plain);
  });

  it.each(['', '.', 'e5', '1,5', '0x10', 'NaN', 'Infinity', '1 2', '--1', '1e99999', '1'.repeat(500)])(
    'reject %j',
    (text) => {
      expect(normalizeDecimal(text)).toBeNull();
    },
  );

  it('preserve every digit when the decimal point is moved', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.nat(30), (digits, places) => {
        const negative = digits < 0n;
        const text = String(negative ? -digits : digits).padStart(places + 1, '0');
        const at = text.length - places;
        const decimal = `${negative ? '-' : ''}${text.slice(0, at)}.${text.slice(at)}0`;
        const plain = normalizeDecimal(decimal) as string;
        const [whole = '', fraction = ''] = plain.split('.');
        expect(BigInt(whole + fraction.padEnd(places, '0'))).toBe(digits);
        expect(normalizeDecimal(`${digits}e-${places}`)).toBe(plain);
      }),
    );
  });

  it('convert a quantity to a number only if that is exact', () => {
    expect(toExactQuantity('10')).toBe(10);
    expect(toExactQuantity('10.0')).toBe(10);
    expect(toExactQuantity('2.50')).toBe('2.5');
    expect(toExactQuantity('9007199254740993')).toBe('9007199254740993');
    expect(toExactQuantity('ten')).toBeNull();
  });

  it('store a JSON number as text if a double cannot represent it', () => {
    expect(toExactNumber('2.50')).toBe(2.5);
    expect(toExactNumber('0.1')).toBe(0.1);
    expect(toExactNumber('12345678901234567890')).toBe('12345678901234567890');
    expect(toExactNumber('0.1234567890123456789')).toBe('0.1234567890123456789');
    expect(toExactNumber('1e400')).toBe('1e400');
  });
});
