import { expect, test } from 'vitest';
import { createSearchPattern, decomposeAccents } from '../../../src/domain/text-search/index.ts';

const find = (query: Parameters<typeof createSearchPattern>[0], text: string) =>
  [...decomposeAccents(text).matchAll(createSearchPattern(query)!)].map(([hit]) => hit.normalize('NFC'));

test('words are found as a phrase, or each on its own', () => {
  const text = 'Café Zürich: ending\n  balance. Balance of the café.';
  expect(find({ text: 'ending balance' }, text)).toEqual(['ending\n  balance']);
  expect(find({ text: 'balance cafe' }, text)).toEqual([]);
  expect(find({ text: ' balance   cafe ', each_word: true }, text)).toEqual([
    'Café',
    'balance',
    'Balance',
    'café',
  ]);
  expect(find({ text: 'end cafe', each_word: true, whole_word: true }, text)).toEqual(['Café', 'café']);
});
