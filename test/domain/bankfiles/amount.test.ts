import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmountInCurrency, getCurrencyDecimals } from '../../../src/domain/bankfiles/index.ts';
import {
  parseAmount,
  parseMinorUnits,
  parsePlainAmount,
} from '../../../src/domain/bankfiles/values/amount-text.ts';

const cents = (text: string, mark: '.' | ',' = '.', currency: string | null = 'USD') => {
  const reading = parseAmount(text, mark, currency);
  return 'cents' in reading ? reading.cents : reading.reason;
};

describe('an amount in a bank file', () => {
  it.each([
    ['12.34', 1234],
    ['1,234.50', 123450],
    ['1,23,456.00', 12345600],
    ['-5', -500],
    ['5-', -500],
    ['(1,200.00)', -120000],
    ['−3.10', -310],
    ['$1,299.00', 129900],
    ['-$3.14', -314],
    ['$-3.14', -314],
    ['USD 12.00', 1200],
    ['12.00 USD', 1200],
    ['3.20 CR', 320],
    ['3.20DR', -320],
    ['="49.00"', 4900],
    ["1'234.50", 123450],
    ['1 234.5', 123450],
    ['.5', 50],
    ['7.', 700],
    ['0.00', 0],
    ['-0.00', 0],
    ['9007199254740.99', 900719925474099],
  ])('%s is read as %d cents', (text, expected) => {
    expect(cents(text)).toBe(expected);
    expect(Object.is(cents(text), -0)).toBe(false);
  });

  it.each([
    ['1.234,56', 123456],
    ['1 234,56', 123456],
    ['1 234,56 €', 123456],
    ['12,5', 1250],
    ['-1.000,00', -100000],
  ])('%s with a decimal comma is read as %d cents', (text, expected) => {
    expect(cents(text, ',', 'EUR')).toBe(expected);
  });

  it.each([
    '',
    'abc',
    '1.2.3',
    '12,34',
    '1,2345.00',
    '--5',
    '(5',
    '(-5)',
    '1e5',
    '12.345',
    '9007199254740993.00',
    '12 XQQ',
    '=1+1',
    '5 USD EUR',
    `${'1'.repeat(70)}`,
  ])('%j is rejected with a reason', (text) => {
    expect(typeof cents(text)).toBe('string');
  });

  it('allows only the decimals of its currency', () => {
    expect(cents('5000', '.', 'JPY')).toBe(5000);
    expect(cents('5000.00', '.', 'JPY')).toBe(5000);
    expect(cents('5000.50', '.', 'JPY')).toContain('more than the 0 decimals');
    expect(cents('1.234', '.', 'KWD')).toBe(1234);
    expect(cents('1.2345', '.', 'KWD')).toContain('more than the 3 decimals');
    expect(cents('¥ 5000', '.', 'JPY')).toBe(5000);
    expect(formatAmountInCurrency(1234, 'KWD')).toBe('1.234 KWD');
    expect(formatAmountInCurrency(-5000, 'JPY')).toBe('-5,000 JPY');
  });

  it('round-trips exactly with either decimal mark', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.constantFrom('USD', 'JPY', 'KWD', 'EUR'),
        fc.boolean(),
        (amount, currency, comma) => {
          const decimals = getCurrencyDecimals(currency);
          const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
          const whole = digits.slice(0, digits.length - decimals);
          const [group, mark] = comma ? (['.', ','] as const) : ([',', '.'] as const);
          const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
          const fraction = decimals === 0 ? '' : mark + digits.slice(-decimals);
          const sign = amount < 0 ? '-' : '';
          const expected = { cents: amount === 0 ? 0 : amount, currency: null };
          expect(parseAmount(sign + grouped + fraction, mark, currency)).toEqual(expected);
          expect(parsePlainAmount(sign + whole + fraction, currency)).toEqual(expected);
          expect(parseMinorUnits(String(amount))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
