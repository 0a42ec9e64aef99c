import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeSpreadsheetFormula } from '../../../../src/domain/csv/escape-formula.ts';
import { formatTsv } from '../../../../src/renderer/grid/clipboard/tsv.ts';
import type { CopyableCell } from '../../../../src/renderer/grid/columns/column-layout.ts';
import { formatDecimal } from '../../../../src/renderer/texts/money.ts';

/**
 * Returns true if a spreadsheet would run the text as a formula, also after spaces, zero-width characters or in
 * full-width form.
 */
const isFormula = (text: string) =>
  /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(text.replace(/^[\s\u200b\ufeff]+/, '')) ||
  /^[\t\r\n]/.test(text);

const hostileCells = fc.oneof(
  fc.string(),
  fc
    .tuple(
      fc.constantFrom('', ' ', '\u3000', '\t', '\r', '\n', '\ufeff', '\u200b'),
      fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠'),
      fc.string(),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '=HYPERLINK("http://x","y")',
    '-1+cmd|calc!A1',
    '@SUM(A1)',
    '"quoted"',
    'tab\there',
    'line\nend',
  ),
);
const cell: fc.Arbitrary<CopyableCell> = fc.oneof(
  hostileCells.map((text) => ({ text })),
  fc.maxSafeInteger().map((cents) => ({ exact: formatDecimal(cents) })),
);
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));

describe('rows as tab-separated text', () => {
  test('escapes text that a spreadsheet would run as a formula', () => {
    fc.assert(
      fc.property(hostileCells, (text) => {
        expect(isFormula(escapeSpreadsheetFormula(text))).toBe(false);
      }),
    );
  });

  test('leaves harmless text unchanged', () => {
    for (const text of ['payment_success', '2026-10-07T14:02:11-05:00', "O'Brien", '']) {
      expect(escapeSpreadsheetFormula(text)).toBe(text);
    }
  });

  test('keeps a negative amount a number', () => {
    expect(formatTsv([[{ exact: formatDecimal(-500) }, { text: '-5.00' }]])).toBe("-5.00\t'-5.00");
  });

  test('can be parsed back to the same table', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const read = parse(formatTsv(rows), {
          delimiter: '\t',
          relax_column_count: true,
          record_delimiter: '\n',
          skip_empty_lines: false,
        }) as string[][];
        const wanted = rows.map((cells) =>
          cells.map((one) => ('exact' in one ? one.exact : escapeSpreadsheetFormula(one.text))),
        );
        // A last row with one empty cell is not a line of the text.
        const last = wanted.at(-1);
        if (last?.length === 1 && last[0] === '') wanted.pop();
        expect(read).toEqual(wanted);
      }),
    );
  });
});
