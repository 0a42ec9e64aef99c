import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAGE_MARK, passagesIn, patternOf } from '../../../src/domain/documents/index.ts';

const found = (text: string, sought: Parameters<typeof patternOf>[0], most = 5) =>
  passagesIn(text, patternOf(sought) as RegExp, most);

test('a phrase is met over line ends, in any case, with and without accents', () => {
  const text = `${PAGE_MARK}Closing\n balance  12.00\n${PAGE_MARK}CLOSING BALANCE of Café Örjan`;
  expect(found(text, { text: 'closing balance' })).toEqual({
    count: 2,
    passages: [
      { page: 1, before: '', hit: 'Closing balance', after: ' 12.00 CLOSING BALANCE of Café Örjan' },
      { page: 2, before: 'Closing balance 12.00 ', hit: 'CLOSING BALANCE', after: ' of Café Örjan' },
    ],
  });
  expect(found(text, { text: 'cafe orjan' }).passages).toMatchObject([{ page: 2, hit: 'Café Örjan' }]);
  expect(found(text, { text: 'CAFÉ', match_case: true }).count).toBe(0);
});

test('whole words and letter case narrow it down', () => {
  const text = 'Gold, golden, Marigold';
  expect(found(text, { text: 'gold' }).count).toBe(3);
  expect(found(text, { text: 'gold', whole_word: true }).count).toBe(1);
  expect(found(text, { text: 'gold', match_case: true }).count).toBe(2);
  expect(found(text, { text: 'gold' }).passages[0]?.page).toBeNull();
});

test('signs mean themselves; what has no letter and no digit is not sought', () => {
  expect(found('a.b a+b $1,234.50 (x)', { text: 'a.b' }).count).toBe(1);
  expect(found('a.b a+b $1,234.50 (x)', { text: '$1,234.50 (' }).count).toBe(1);
  expect(patternOf({ text: ' .*$ ' })).toBeNull();
});

test('a long text is cut at words', () => {
  const [passage] = found(`${'word '.repeat(40)}needle${' word'.repeat(40)}`, { text: 'needle' }).passages;
  expect(passage?.before).toMatch(/^… (word )+$/);
  expect(passage?.after).toMatch(/^( word)+ …$/);
});

test('anything can be sought, anywhere', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'grapheme' }),
      (text, around) => {
        const pattern = patternOf({ text });
        if (pattern === null) return;
        expect(passagesIn(`${around} ${text} ${around}`, pattern, 3).count).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});
