import { expect, test } from 'vitest';
import { getNextWatchDelayMs } from '../../../src/cli/runtime/sync-repeatedly.ts';

const MINUTE = 60_000;

test('each failed sync doubles the delay up to an hour, or uses the service’s retry delay if that is longer', () => {
  const usual = 15 * MINUTE;
  const pauses = [usual];
  for (let failure = 0; failure < 4; failure++)
    pauses.push(getNextWatchDelayMs(pauses.at(-1)!, usual, { code: 'network' }));
  expect(pauses.map((pause) => pause / MINUTE)).toEqual([15, 30, 60, 60, 60]);
  expect(getNextWatchDelayMs(usual, usual, { code: 'rate_limited', retry_after_ms: 40 * MINUTE })).toBe(
    40 * MINUTE,
  );
  // An interval longer than an hour is not shortened.
  expect(getNextWatchDelayMs(240 * MINUTE, 240 * MINUTE, { code: 'network' })).toBe(240 * MINUTE);
});
