import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCsvCell, formatCsvRow } from '../../../src/domain/csv/csv-row.ts';
import { escapeSpreadsheetFormula } from '../../../src/domain/csv/escape-formula.ts';

/** Returns true if a spreadsheet would treat the cell as a formula, judged by its first character after white space. */
const looksLikeFormula = (cell: string) =>
  /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell);

const dangerous = fc
  .tuple(
    fc.constantFrom('', ' ', '\t', '\r', '\n', '\ufeff', '\u3000', '"', ','),
    fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', ''),
    fc.string({ unit: 'binary' }),
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(dangerous, fc.string({ unit: 'grapheme' }));

describe('CSV row', () => {
  test('never contains a formula, and every cell can be parsed back', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
        const [row] = parse(formatCsvRow(cells), { record_delimiter: '\r\n', relax_column_count: true });
        expect(row).toHaveLength(cells.length);
        (row as string[]).forEach((cell, at) => {
          expect(looksLikeFormula(cell)).toBe(false);
          expect([cells[at], `'${cells[at]}`]).toContain(cell);
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('escapes the same cells in copied rows and in exports', () => {
    const plain = text.filter((value) => !/[",\r\n]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value));
    fc.assert(
      fc.property(plain, (value) => {
        expect(formatCsvCell(value)).toBe(escapeSpreadsheetFormula(value));
      }),
    );
  });

  test('leaves numbers unchanged, including negative amounts', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (cents) => formatCsvCell(cents) === String(cents)));
    expect(formatCsvCell(-500)).toBe('-500');
    expect(formatCsvCell('-1.50')).toBe('-1.50');
    expect(formatCsvCell('-1.50+cmd')).toBe("'-1.50+cmd");
  });

  test('escapes and quotes only the cells that need it', () => {
    expect(formatCsvRow(['Acme, Inc.', 'say "hi"', null, true, { a: [1] }])).toBe(
      '"Acme, Inc.","say ""hi""",,true,"{""a"":[1]}"\r\n',
    );
    expect(formatCsvCell('=HYPERLINK("http://evil.test")')).toBe(`"'=HYPERLINK(""http://evil.test"")"`);
    expect(formatCsvCell('plain')).toBe('plain');
  });
});
