import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  columnsOf,
  cut,
  harmlessJson,
  pad,
  printable,
  printableLines,
} from '../../../src/cli/output/text.ts';

const anything = fc.string({ unit: 'binary' });
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

describe('text for a terminal', () => {
  test('what the service sent cannot move the cursor, change colours or reorder a line', () => {
    expect(printable('a\u001b[2Jb')).toBe('a·[2Jb');
    expect(printable('a\u009b31mb')).toBe('a·31mb');
    expect(printable('abc\u202ecba')).toBe('abc·cba');
    expect(printable('two\r\nlines\tand a tab')).toBe('two lines and a tab');
    fc.assert(fc.property(anything, (text) => !control.test(printable(text))));
  });

  test('texts of several lines keep their line ends and tabs', () => {
    expect(printableLines('a\r\n\tb\u001b')).toBe('a\n\tb·');
  });

  test('JSON for a terminal holds no control and is the same document', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), anything, (json, text) => {
        const value = { json: JSON.parse(json) as unknown, text };
        const written = harmlessJson(JSON.stringify(value, null, 2));
        expect(written.replaceAll('\n', '')).not.toMatch(control);
        expect(JSON.parse(written)).toEqual(value);
      }),
    );
  });

  test('wide characters take two columns, marks none', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('日本語')).toBe(6);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('👩‍👩‍👧 ok')).toBe(5);
    expect(columnsOf('한글')).toBe(4);
  });

  test('a cut never takes more columns than it may, and a padded text exactly so many', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '日', '👍', 'e\u0301', ' ') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (words, columns) => {
        expect(columnsOf(cut(words, columns))).toBeLessThanOrEqual(columns);
        expect(columnsOf(pad(cut(words, columns), columns, 'left'))).toBe(columns);
      }),
    );
    expect(cut('statement', 5)).toBe('stat…');
    expect(cut('日本語', 4)).toBe('日…');
  });
});
