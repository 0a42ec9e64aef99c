import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  escapeUnprintable,
  measureDisplayWidth,
  padText,
  sanitizeLine,
  sanitizeText,
  truncateText,
} from '../../../src/cli/output/terminal-text.ts';

const anyText = fc.string({ unit: 'binary' });
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe('terminal text', () => {
  test('from the service cannot move the cursor, change colors or reorder a line', () => {
    expect(sanitizeLine('a\u001b[2Jb')).toBe('a·[2Jb');
    expect(sanitizeLine('a\u009b31mb')).toBe('a·31mb');
    expect(sanitizeLine('abc\u202ecba')).toBe('abc·cba');
    expect(sanitizeLine('Ac\u2060me\u180e \u{e0041}\u3164')).toBe('Ac·me· ··');
    expect(sanitizeLine('two\r\nlines\tand a tab')).toBe('two lines and a tab');
    fc.assert(fc.property(anyText, (text) => !control.test(sanitizeLine(text))));
  });

  test('of several lines keeps line ends and tabs', () => {
    expect(sanitizeText('a\r\n\tb\u001b')).toBe('a\n\tb·');
  });

  test('in JSON has no control characters and the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), anyText, (json, text) => {
        const value = { json: JSON.parse(json) as unknown, text };
        const written = escapeUnprintable(JSON.stringify(value, null, 2));
        expect(written.replaceAll('\n', '')).not.toMatch(control);
        expect(JSON.parse(written)).toEqual(value);
      }),
    );
  });

  test('counts two columns for wide characters and none for combining marks', () => {
    expect(measureDisplayWidth('abc')).toBe(3);
    expect(measureDisplayWidth('日本語')).toBe(6);
    expect(measureDisplayWidth('e\u0301')).toBe(1);
    expect(measureDisplayWidth('👩‍👩‍👧 ok')).toBe(5);
    expect(measureDisplayWidth('한글')).toBe(4);
  });

  test('never exceeds the width when truncated and fills it exactly when padded', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '日', '👍', 'e\u0301', ' ') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (words, columns) => {
        expect(measureDisplayWidth(truncateText(words, columns))).toBeLessThanOrEqual(columns);
        expect(measureDisplayWidth(padText(truncateText(words, columns), columns, 'left'))).toBe(columns);
      }),
    );
    expect(truncateText('statement', 5)).toBe('stat…');
    expect(truncateText('日本語', 4)).toBe('日…');
  });
});
