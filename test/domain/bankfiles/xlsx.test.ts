import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { listLineSummaries, listProblemSummaries, readText } from './read-complete-file.ts';

const header = ['Date', 'Amount', 'Currency', 'Description', 'Reference'];

describe('XLSX', () => {
  it('reads dates, exact numbers, texts and formula results', async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['Nothing here']] },
        {
          name: 'October',
          rows: [
            ['Statement of account 77'],
            header,
            [new Date(Date.UTC(2026, 9, 2)), 1234.56, 'USD', 'a', 4711],
            ['2026-10-03', -0.1 - 0.2, 'USD', 'b', 'INV-2'],
            ['2026-10-04', '1,000.00', 'USD', '=1+1', null],
            [null, 1234.26, null, 'Total', null],
            ['2026-10-05', 'n/a', 'USD', 'c', null],
          ],
        },
      ],
    });
    const file = await readText(bytes);
    expect(file.format).toBe('xlsx');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 123456 | USD | 4711 | a',
      '2026-10-03 | -30 | USD | INV-2 | b',
      '2026-10-04 | 100000 | USD | - | =1+1',
    ]);
    expect(file.lines[0]?.location).toBe('October!A3');
    expect(listProblemSummaries(file)).toEqual([
      'skipped 4 October!A6: The row contains totals.',
      'failed 5 October!A7: The amount “n/a” is not an amount.',
      'skipped - Notes: The sheet was not read. The lines are from October.',
    ]);
  });

  it('asks for the sheet if two contain lines', async () => {
    const rows = [header, ['2026-10-02', 1, 'USD', 'a', null]];
    const bytes = await writeXlsx({
      sheets: [
        { name: 'A', rows },
        { name: 'B', rows: [...rows, ['2026-10-03', 2, 'USD', 'b', null]] },
      ],
    });
    const asked = await readText(bytes);
    expect(asked.questions.map(({ key, readings }) => [key, ...readings.map(({ value }) => value)])).toEqual([
      ['sheet', 'A', 'B'],
    ]);
    const answered = await readText(bytes, { answers: { sheet: 'B' } });
    expect(answered.questions).toEqual([]);
    expect(answered.lines).toHaveLength(2);
  });

  it('rejects damaged, encrypted or unrelated ZIP files and gives a reason', async () => {
    const whole = await writeXlsx({ sheets: [{ name: 'A', rows: [header] }] });
    for (const bytes of [
      whole.subarray(0, whole.length - 40),
      Buffer.from('PK\x03\x04nothing'),
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
    ]) {
      const file = await readText(bytes);
      expect(file.problems.map(({ effect }) => effect)).toEqual(['refused']);
    }
  });
});
