import { expect, test } from 'vitest';
import type { ErrorValue } from '../../../src/contract/index.ts';
import { heard } from '../../../src/renderer/frame/reach.ts';

const away: ErrorValue = { code: 'timeout', message: 'Nobody answers.', retryable: true };

test('a question that waited in vain does not speak against a later one that was answered', () => {
  const back = heard({}, 'acme', { at: 2_000, error: null });
  expect(heard(back, 'acme', { at: 1_000, error: away })).toBe(back);
  expect(heard(back, 'acme', { at: 3_000, error: away })).toEqual({ acme: { at: 3_000, error: away } });
  expect(heard(back, 'other', { at: 1_000, error: away })).toMatchObject({ acme: { error: null } });
});
