import { expect, test } from 'vitest';
import { errorCodes } from '../../../src/contract/index.ts';
import {
  errorRemedy,
  errorTitle,
  formatError,
  isOfflineError,
} from '../../../src/renderer/errors/error-texts.ts';

const error = (code: (typeof errorCodes)[number]) => ({ code, message: 'What happened', retryable: false });

test.each(errorCodes)('%s has words', (code) => expect(errorTitle(error(code))).not.toBe(''));

test('what is said is a sentence, and what to do another', () => {
  expect(formatError({ ...error('network'), hint: 'Try again.' })).toBe('What happened. Try again.');
  expect(formatError({ ...error('network'), message: '' })).toBe('The service cannot be reached.');
});

test('each leads on where a person can do something', () => {
  expect(errorRemedy(error('auth'))).toBe('replaceKey');
  expect(errorRemedy(error('corrupt'))).toBe('doctor');
  expect(errorRemedy(error('network'))).toBe('retry');
  expect(errorRemedy(error('validation'))).toBeNull();
});

test('only silence counts as offline', () => {
  expect(errorCodes.filter((code) => isOfflineError(error(code)))).toEqual(['network', 'timeout']);
  expect(isOfflineError(null)).toBe(false);
});
