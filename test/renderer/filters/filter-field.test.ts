import { expect, test } from 'vitest';
import { formatLocalToday, getPresetDayRange } from '../../../src/renderer/filters/filter-field.ts';

test.each([
  ['week', '2026-03-03', { since: '2026-02-25', until: '2026-03-03' }],
  ['month', '2026-01-10', { since: '2025-12-12', until: '2026-01-10' }],
  ['thisMonth', '2024-02-29', { since: '2024-02-01', until: '2024-02-29' }],
  ['lastMonth', '2024-03-31', { since: '2024-02-01', until: '2024-02-29' }],
  ['lastMonth', '2026-01-05', { since: '2025-12-01', until: '2025-12-31' }],
] as const)('resolves the date range %s as of %s', (name, today, days) =>
  expect(getPresetDayRange(name, today)).toEqual(days),
);

test('uses the local date as today', () => {
  expect(formatLocalToday(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});
