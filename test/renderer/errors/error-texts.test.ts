import { expect, test } from 'vitest';
import { errorCodes } from '../../../src/contract/index.ts';
import {
  formatError,
  getErrorRemedy,
  getErrorTitle,
  isOfflineError,
} from '../../../src/renderer/errors/error-texts.ts';

const error = (code: (typeof errorCodes)[number]) => ({ code, message: 'What happened', retryable: false });

test.each(errorCodes)('%s has a title', (code) => expect(getErrorTitle(error(code))).not.toBe(''));

test('message and hint are formatted as sentences', () => {
  expect(formatError({ ...error('network'), hint: 'Try again.' })).toBe('What happened. Try again.');
  expect(formatError({ ...error('network'), message: '' })).toBe('The service cannot be reached.');
});

test('errors that the user can resolve have a remedy', () => {
  expect(getErrorRemedy(error('auth'))).toBe('replaceKey');
  expect(getErrorRemedy(error('corrupt'))).toBe('doctor');
  expect(getErrorRemedy(error('network'))).toBe('retry');
  expect(getErrorRemedy(error('validation'))).toBeNull();
});

test('only unreachable services count as offline', () => {
  expect(errorCodes.filter((code) => isOfflineError(error(code)))).toEqual(['network', 'timeout']);
  expect(isOfflineError(null)).toBe(false);
});
