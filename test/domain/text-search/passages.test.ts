import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSearchPattern, findTextPassages, PAGE_BREAK } from '../../../src/domain/text-search/index.ts';

const findInText = (text: string, query: Parameters<typeof createSearchPattern>[0], most = 5) =>
  findTextPassages(text, createSearchPattern(query) as RegExp, most);

test('a phrase is found across lines, regardless of case and accents', () => {
  const text = `${PAGE_BREAK}Closing\n balance  12.00\n${PAGE_BREAK}CLOSING BALANCE of Café Örjan`;
  expect(findInText(text, { text: 'closing balance' })).toEqual({
    count: 2,
    passages: [
      { page: 1, before: '', hit: 'Closing balance', after: ' 12.00 CLOSING BALANCE of Café Örjan' },
      { page: 2, before: 'Closing balance 12.00 ', hit: 'CLOSING BALANCE', after: ' of Café Örjan' },
    ],
  });
  expect(findInText(text, { text: 'cafe orjan' }).passages).toMatchObject([{ page: 2, hit: 'Café Örjan' }]);
  expect(findInText(text, { text: 'CAFÉ', match_case: true }).count).toBe(0);
});

test('whole-word and case-sensitive searches return fewer hits', () => {
  const text = 'Gold, golden, Marigold';
  expect(findInText(text, { text: 'gold' }).count).toBe(3);
  expect(findInText(text, { text: 'gold', whole_word: true }).count).toBe(1);
  expect(findInText(text, { text: 'gold', match_case: true }).count).toBe(2);
  expect(findInText(text, { text: 'gold' }).passages[0]?.page).toBeNull();
});

test('special characters are literal, and a query needs a letter or digit', () => {
  expect(findInText('a.b a+b $1,234.50 (x)', { text: 'a.b' }).count).toBe(1);
  expect(findInText('a.b a+b $1,234.50 (x)', { text: '$1,234.50 (' }).count).toBe(1);
  expect(createSearchPattern({ text: ' .*$ ' })).toBeNull();
});

test('long text is truncated at words', () => {
  const [passage] = findInText(`${'word '.repeat(40)}needle${' word'.repeat(40)}`, {
    text: 'needle',
  }).passages;
  expect(passage?.before).toMatch(/^… (word )+$/);
  expect(passage?.after).toMatch(/^( word)+ …$/);
});

test('any search text is found at any position', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'grapheme' }),
      (text, around) => {
        const pattern = createSearchPattern({ text });
        if (pattern === null) return;
        expect(findTextPassages(`${around} ${text} ${around}`, pattern, 3).count).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});
