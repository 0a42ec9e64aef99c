import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCountWithNoun,
  formatDuration,
  formatQuantity,
  formatRate,
  formatTotalCount,
} from '../../../src/renderer/texts/numbers.ts';

test('counts are followed by a singular or plural noun', () => {
  expect(formatCountWithNoun(1, 'webhook')).toBe('1 webhook');
  expect(formatCountWithNoun(1204, 'webhook')).toBe('1,204 webhooks');
  expect(formatCountWithNoun(2, 'day', 'days')).toBe('2 days');
  expect(formatTotalCount({ count: 10_000, exact: false })).toBe('10,000+');
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [61_234, '61 kB'],
  [2_400_000_000, '2.4 GB'],
])('%d bytes are shown as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [400, '0.4 s'],
  [12_400, '12 s'],
  [59_900, '60 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
])('%d ms are shown as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

test('rates and quantities are rounded and grouped', () => {
  expect(formatRate(3_110.4)).toBe('3,110/s');
  expect(formatRate(0.25)).toBe('0.3/s');
  expect(formatQuantity(-4)).toBe('\u22124');
  expect(formatQuantity('2.5')).toBe('2.5');
});
