import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { GridColumn } from '../../../../src/renderer/grid/columns/column-layout.ts';
import {
  createCountColumn,
  createDateColumn,
  createDateTimeColumn,
  createIdColumn,
  createMoneyColumn,
  createQuantityColumn,
  createTextColumn,
} from '../../../../src/renderer/grid/columns/value-columns.tsx';

const columnFields = { id: 'it', title: 'It', width: 100 };
const identity = <Value>(value: Value): Value => value;
const renderCell = <Value>(column: GridColumn<Value>, value: Value) =>
  renderToStaticMarkup(column.cell(value));
const NO_VALUE = 'class="no-value"';

describe('copied cells', () => {
  test('numbers are copied exactly and text as text', () => {
    expect(createMoneyColumn(columnFields, identity<number | null>).copy(-123456)).toEqual({
      exact: '-1234.56',
    });
    expect(createCountColumn(columnFields, identity<number>).copy(1204)).toEqual({ exact: '1204' });
    expect(createIdColumn(columnFields, identity<number | null>).copy(80169751)).toEqual({
      exact: '80169751',
    });
    expect(createQuantityColumn(columnFields, identity<number | string | null>).copy('-0.50')).toEqual({
      exact: '-0.50',
    });
    expect(createDateColumn(columnFields, identity<string | null>).copy('2026-10-07')).toEqual({
      text: '2026-10-07',
    });
    expect(createTextColumn(columnFields, identity<string | null>).copy('=1+1')).toEqual({ text: '=1+1' });
  });

  test('missing values are copied as empty cells', () => {
    expect(createMoneyColumn(columnFields, identity<number | null>).copy(null)).toEqual({ exact: '' });
    expect(createIdColumn(columnFields, identity<number | null>).copy(null)).toEqual({ exact: '' });
    expect(createQuantityColumn(columnFields, identity<number | string | null>).copy(null)).toEqual({
      exact: '',
    });
    for (const column of [createTextColumn, createDateColumn, createDateTimeColumn])
      expect(column(columnFields, identity<string | null>).copy(null)).toEqual({ text: '' });
  });
});

describe('rendered cells', () => {
  test('text has its status color and a tooltip with the full text', () => {
    expect(renderCell(createTextColumn(columnFields, identity<string | null>), 'Acme & Co')).toBe(
      '<span title="Acme &amp; Co">Acme &amp; Co</span>',
    );
    expect(
      renderCell(createTextColumn({ ...columnFields, tone: 'strong' }, identity<string | null>), 'Acme'),
    ).toBe('<span class="grid-strong" title="Acme">Acme</span>');
  });

  test('amounts show their currency if the rows have different currencies', () => {
    const row = { cents: 100, currency: 'EUR' };
    const several = createMoneyColumn(
      columnFields,
      ({ cents }: typeof row) => cents,
      ({ currency }) => currency,
    );
    expect(renderCell(several, row)).toContain('€');
    expect(several.copy(row)).toEqual({ exact: '1.00' });
    expect(
      renderCell(
        createMoneyColumn(columnFields, ({ cents }: typeof row) => cents),
        row,
      ),
    ).not.toContain('€');
  });

  test('missing values are announced to screen readers', () => {
    for (const column of [
      createTextColumn,
      createDateColumn,
      createDateTimeColumn,
      createMoneyColumn,
      createIdColumn,
      createQuantityColumn,
    ])
      expect(renderCell(column(columnFields, identity<null>), null)).toContain(NO_VALUE);
    expect(renderCell(createTextColumn(columnFields, identity<string>), '')).toContain(NO_VALUE);
  });

  test('numbers are aligned to the end', () => {
    for (const column of [createMoneyColumn, createCountColumn, createQuantityColumn])
      expect(column(columnFields, identity<number>).alignEnd).toBe(true);
    expect(createTextColumn(columnFields, identity<string>).alignEnd).toBeUndefined();
  });
});
