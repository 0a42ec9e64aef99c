import { expect, test } from 'vitest';
import { nextWatchDelay } from '../../../src/cli/commands/sites/sync-command.ts';

const MINUTE = 60_000;

test('each failure doubles the delay up to an hour, and at least to the service’s retry delay', () => {
  const usual = 15 * MINUTE;
  const pauses = [usual];
  for (let failure = 0; failure < 4; failure++)
    pauses.push(nextWatchDelay(pauses.at(-1)!, usual, { code: 'network' }));
  expect(pauses.map((pause) => pause / MINUTE)).toEqual([15, 30, 60, 60, 60]);
  expect(nextWatchDelay(usual, usual, { code: 'rate_limited', retry_after_ms: 40 * MINUTE })).toBe(
    40 * MINUTE,
  );
  // A longer interval is kept.
  expect(nextWatchDelay(240 * MINUTE, 240 * MINUTE, { code: 'network' })).toBe(240 * MINUTE);
});
