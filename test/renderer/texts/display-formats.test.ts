import { afterEach, expect, test } from 'vitest';
import { formatDate, formatDateTime, formatMonth } from '../../../src/renderer/texts/date-times.ts';
import { applyDisplayFormats } from '../../../src/renderer/texts/display-formats.ts';
import { formatAmount, formatMoney } from '../../../src/renderer/texts/money.ts';
import { formatCount } from '../../../src/renderer/texts/numbers.ts';

afterEach(() => applyDisplayFormats({ date: 'system', number: 'system' }));

test.each([
  ['dayMonth', '9 Mar 2026'],
  ['monthDay', 'Mar 9, 2026'],
  ['dots', '09.03.2026'],
  ['iso', '2026-03-09'],
] as const)('dates as %s', (date, text) => {
  applyDisplayFormats({ date, number: 'system' });
  expect(formatDate('2026-03-09')).toBe(text);
  expect(formatMonth('2026-03')).toBe('March 2026');
  expect(formatDateTime('2026-03-09T08:05:00Z', { timeZone: 'UTC' })).toMatch(/08:05$/);
});

test.each([
  ['commaPoint', '−1,234,567.80', '12,345'],
  ['pointComma', '−1.234.567,80', '12.345'],
  ['spaceComma', '−1 234 567,80', '12 345'],
  ['apostrophePoint', "−1'234'567.80", "12'345"],
] as const)('numbers as %s', (number, amount, count) => {
  applyDisplayFormats({ date: 'system', number });
  const plain = (text: string) => text.replace(/\s/g, ' ').replaceAll('’', "'");
  expect(plain(formatAmount(-123_456_780))).toBe(amount);
  expect(plain(formatCount(12_345))).toBe(count);
  expect(plain(formatMoney(-123_456_780, 'EUR'))).toMatch(/€|EUR/);
});
