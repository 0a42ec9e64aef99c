import { expect, test } from 'vitest';
import { listCheckLimits } from '../../../src/renderer/overview/check-limits.ts';

const period = { period: '2026-09', first: '2026-09-01', last: '2026-09-30' };
const checked = { at: null, full_at: null, waiting: 0, running: null, stale: null };
const freshness = { complete: true, parts: [], oldest_part: null };
const proved = { summary: { period, checked, freshness }, hasBankLines: true, disabledRules: 0 };

test('a month without open exceptions states everything that its check did not prove', () => {
  expect(listCheckLimits(proved)).toEqual([]);
  expect(listCheckLimits({ ...proved, hasBankLines: undefined })).toEqual([]);
  expect(listCheckLimits({ ...proved, hasBankLines: false })).toEqual([
    'No bank or processor lines of September 2026 have been imported, so payments have not been compared with the bank.',
  ]);
  const summary = {
    period: null,
    checked: { ...checked, waiting: 2, stale: 'A rule has changed.' },
    freshness: { ...freshness, complete: false },
  };
  expect(listCheckLimits({ summary, hasBankLines: true, disabledRules: 1 })).toEqual([
    'The stored billing records are incomplete.',
    'A rule has changed.',
    '2 subscriptions have changed since the last check.',
    '1 rule is disabled.',
  ]);
});
