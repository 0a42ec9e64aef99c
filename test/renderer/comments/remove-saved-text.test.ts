import { expect, test } from 'vitest';
import { removeSavedText } from '../../../src/renderer/comments/remove-saved-text.ts';

test.each([
  ['Called the bank.', 'Called the bank.', ''],
  ['Called the bank. They answer on Friday.', 'Called the bank.', 'They answer on Friday.'],
  ['Called the bank.\n\nThey answer', 'Called the bank.', 'They answer'],
  ['Called both banks.', 'Called the bank.', 'Called both banks.'],
  ['', 'Called the bank.', ''],
  ['Added to a file without text', '', 'Added to a file without text'],
])('of “%s”, “%s” having been saved, “%s” remains', (typed, saved, rest) => {
  expect(removeSavedText(typed, saved)).toBe(rest);
});
