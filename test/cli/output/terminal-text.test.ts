import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  displayWidth,
  escapeControls,
  padText,
  sanitizeLine,
  sanitizeText,
  truncateText,
} from '../../../src/cli/output/terminal-text.ts';

const anything = fc.string({ unit: 'binary' });
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

describe('text for a terminal', () => {
  test('text from the service cannot move the cursor, change colors or reorder a line', () => {
    expect(sanitizeLine('a\u001b[2Jb')).toBe('a·[2Jb');
    expect(sanitizeLine('a\u009b31mb')).toBe('a·31mb');
    expect(sanitizeLine('abc\u202ecba')).toBe('abc·cba');
    expect(sanitizeLine('two\r\nlines\tand a tab')).toBe('two lines and a tab');
    fc.assert(fc.property(anything, (text) => !control.test(sanitizeLine(text))));
  });

  test('text of several lines keeps line ends and tabs', () => {
    expect(sanitizeText('a\r\n\tb\u001b')).toBe('a\n\tb·');
  });

  test('JSON for a terminal has no control characters and the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), anything, (json, text) => {
        const value = { json: JSON.parse(json) as unknown, text };
        const written = escapeControls(JSON.stringify(value, null, 2));
        expect(written.replaceAll('\n', '')).not.toMatch(control);
        expect(JSON.parse(written)).toEqual(value);
      }),
    );
  });

  test('wide characters occupy two columns, combining marks none', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('日本語')).toBe(6);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('👩‍👩‍👧 ok')).toBe(5);
    expect(displayWidth('한글')).toBe(4);
  });

  test('truncated text never exceeds the width, and padded text fills it exactly', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '日', '👍', 'e\u0301', ' ') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (words, columns) => {
        expect(displayWidth(truncateText(words, columns))).toBeLessThanOrEqual(columns);
        expect(displayWidth(padText(truncateText(words, columns), columns, 'left'))).toBe(columns);
      }),
    );
    expect(truncateText('statement', 5)).toBe('stat…');
    expect(truncateText('日本語', 4)).toBe('日…');
  });
});
