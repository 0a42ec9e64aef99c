import { describe, expect, test } from 'vitest';
import {
  formatLabeledValues,
  formatTable,
  formatTableLines,
  type TableColumn,
} from '../../../src/cli/output/table.ts';
import { measureDisplayWidth } from '../../../src/cli/output/terminal-text.ts';

interface Row {
  id: number;
  name: string;
  amount: string;
}

const columns: TableColumn<Row>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'name', cell: ({ name }) => name, minWidth: 6 },
  { header: 'amount', cell: ({ amount }) => amount, align: 'right' },
];
const rows: Row[] = [
  { id: 7, name: 'Müller & Söhne 株式会社', amount: '1,234.50' },
  { id: 1200, name: 'Acme', amount: '-0.05' },
];

describe('printed tables', () => {
  test('align columns, figures to the right, and count wide characters as two columns', () => {
    expect(formatTableLines(columns, rows, Number.POSITIVE_INFINITY)).toEqual([
      '  ID  NAME                       AMOUNT',
      '   7  Müller & Söhne 株式会社  1,234.50',
      '1200  Acme                        -0.05',
    ]);
  });

  test('truncate text columns but never figures in a narrow terminal', () => {
    const lines = formatTableLines(columns, rows, 26);
    expect(lines).toEqual([
      '  ID  NAME          AMOUNT',
      '   7  Müller & …  1,234.50',
      '1200  Acme           -0.05',
    ]);
    for (const line of lines) expect(measureDisplayWidth(line)).toBeLessThanOrEqual(26);
    expect(formatTableLines(columns, rows, 4)[1]).toBe('   7  Mülle…  1,234.50');
  });

  test('hide optional columns in a very narrow terminal and report them', () => {
    const optionalColumns = columns.map((column) =>
      column.header === 'id' ? { ...column, isOptional: true as const } : column,
    );
    expect(formatTable(optionalColumns, rows, 16)).toEqual({
      lines: ['NAME      AMOUNT', 'Mülle…  1,234.50', 'Acme       -0.05'],
      hiddenHeaders: ['id'],
    });
    expect(formatTable(optionalColumns, rows, 80).hiddenHeaders).toEqual([]);
  });

  test('keep each cell on its line', () => {
    const [, line] = formatTableLines(columns, [{ id: 1, name: 'a\nb\u001b[1A', amount: '' }], 80);
    expect(line).toBe(' 1  a b·[1A');
  });

  test('omit fields without a value', () => {
    expect(
      formatLabeledValues([
        ['state', 'done'],
        ['reason', null],
        ['webhooks', 0],
      ]),
    ).toEqual(['state     done', 'webhooks  0']);
  });
});
