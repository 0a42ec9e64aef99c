import { expect, test } from 'vitest';
import type { ErrorValue } from '../../../src/contract/index.ts';
import { addProbeIfNewer } from '../../../src/renderer/backend-client/service-availability.ts';

const unreachableError: ErrorValue = { code: 'timeout', message: 'Nobody answers.', retryable: true };

test('a probe that timed out does not replace a later one that succeeded', () => {
  const back = addProbeIfNewer({}, 'acme', { at: 2_000, error: null });
  expect(addProbeIfNewer(back, 'acme', { at: 1_000, error: unreachableError })).toBe(back);
  expect(addProbeIfNewer(back, 'acme', { at: 3_000, error: unreachableError })).toEqual({
    acme: { at: 3_000, error: unreachableError },
  });
  expect(addProbeIfNewer(back, 'other', { at: 1_000, error: unreachableError })).toMatchObject({
    acme: { error: null },
  });
});
