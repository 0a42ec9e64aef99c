import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADS_FORMAT,
  type DelimitedFormat,
  formatExportRow,
  formatGdpduIndex,
  GDPDU_FORMAT,
} from '../../../src/domain/auditor-exports/index.ts';
import { ADS_TABLE, parseDelimited, parseIndex, type TableFormat } from './parse-delimited.ts';

const [described] = parseIndex(
  formatGdpduIndex({
    supplier: { name: 'Acme', location: 'https://acme.example.com', comment: '' },
    ...{ media: 'Acme', first: '2026-10-01', last: '2026-10-31' },
    tables: [{ name: 't', description: '', columns: [], isKeyed: false, foreignKeys: [] }],
  }),
);
const formats: readonly (readonly [name: string, DelimitedFormat, TableFormat])[] = [
  ['GoBD', GDPDU_FORMAT, described!.format],
  ['ADS', ADS_FORMAT, ADS_TABLE],
];

const text = fc.oneof(
  fc.constantFrom('-10% loyalty', '=1+1', '+49 30 1234', '@home', "'quoted'", '\t x ', ' | ', '"', '""'),
  fc.string({ unit: fc.constantFrom(';', '|', '"', "'", '\r', '\n', '\r\n', ' ', 'a', '\u2028', '=') }),
  fc.string({ unit: 'grapheme' }),
);

describe.each(formats)('a row of the %s format', (_, format, described) => {
  it('contains texts unchanged, as a reader of its description sees them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const content = rows
          .map((cells) =>
            formatExportRow(
              cells,
              cells.map(() => 'text'),
              format,
            ),
          )
          .join('');
        expect(parseDelimited(content, described)).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  it('encloses only texts that contain a symbol of the format', () => {
    expect(formatExportRow(['-10% loyalty', '=1+1'], ['text', 'text'], format)).toBe(
      `-10% loyalty${format.delimiter}=1+1\r\n`,
    );
  });

  it('writes amounts with decimals, and nothing for a missing value', () => {
    const cells = [7, -150, null, -5, 0] as const;
    const row = formatExportRow(cells, ['number', 'amount', 'amount', 'amount', 'amount'], format);
    expect(row).toBe(
      `${['7', '-1.50', '', '-0.05', '0.00'].join(format.delimiter).replaceAll('.', format.decimalSymbol)}\r\n`,
    );
  });
});
