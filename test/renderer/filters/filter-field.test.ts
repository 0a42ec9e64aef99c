import { expect, test } from 'vitest';
import {
  createMultiChoiceField,
  formatAmountRange,
  formatChosenValues,
  getPresetDayRange,
} from '../../../src/renderer/filters/filter-field.ts';

test.each([
  ['week', '2026-03-03', { since: '2026-02-25', until: '2026-03-03' }],
  ['month', '2026-01-10', { since: '2025-12-12', until: '2026-01-10' }],
  ['thisMonth', '2024-02-29', { since: '2024-02-01', until: '2024-02-29' }],
  ['lastMonth', '2024-03-31', { since: '2024-02-01', until: '2024-02-29' }],
  ['lastMonth', '2026-01-05', { since: '2025-12-01', until: '2025-12-31' }],
] as const)('resolves the date range %s as of %s', (name, today, days) =>
  expect(getPresetDayRange(name, today)).toEqual(days),
);

test('a filter names the excluded values if they are fewer than the chosen ones', () => {
  const field = createMultiChoiceField<{ state?: string[] }>('state', {
    label: 'Status',
    options: ['Open', 'Paid', 'Void'].map((label) => ({ value: label.toLowerCase(), label })),
  });
  if (field.kind !== 'choice') throw new Error('The field has no options.');
  expect(formatChosenValues(field, ['open'])).toBe('Open');
  expect(formatChosenValues(field, ['open', 'void'])).toBe('not Paid');
  expect(formatChosenValues(field, ['open', 'paid', 'void'])).toBe('Open, Paid, Void');
  expect(formatChosenValues(field, ['open', 'gone'])).toBe('Open, gone');
});

test('a range of amounts is formatted with the ends that are set', () => {
  expect(formatAmountRange({})).toBeNull();
  expect(formatAmountRange({ min_in_cents: 1990 })).toBe('≥ 19.90');
  expect(formatAmountRange({ max_in_cents: 100000 })).toBe('≤ 1,000.00');
  expect(formatAmountRange({ min_in_cents: 0, max_in_cents: 5 })).toBe('0.00 – 0.05');
});
