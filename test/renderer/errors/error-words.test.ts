import { expect, test } from 'vitest';
import { errorCodes } from '../../../src/contract/index.ts';
import { errorLine, errorTitle, isOffline, remedyOf } from '../../../src/renderer/errors/error-words.ts';

const error = (code: (typeof errorCodes)[number]) => ({ code, message: 'What happened', retryable: false });

test.each(errorCodes)('%s has words', (code) => expect(errorTitle(error(code))).not.toBe(''));

test('what is said is a sentence, and what to do another', () => {
  expect(errorLine({ ...error('network'), hint: 'Try again.' })).toBe('What happened. Try again.');
  expect(errorLine({ ...error('network'), message: '' })).toBe('The service cannot be reached.');
});

test('each leads on where a person can do something', () => {
  expect(remedyOf(error('auth'))).toBe('replaceKey');
  expect(remedyOf(error('corrupt'))).toBe('doctor');
  expect(remedyOf(error('network'))).toBe('retry');
  expect(remedyOf(error('validation'))).toBeNull();
});

test('only silence counts as offline', () => {
  expect(errorCodes.filter((code) => isOffline(error(code)))).toEqual(['network', 'timeout']);
  expect(isOffline(null)).toBe(false);
});
