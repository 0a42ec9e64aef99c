import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { GridColumn } from '../../../../src/renderer/grid/columns/columns.ts';
import {
  countColumn,
  dateColumn,
  dateTimeColumn,
  idColumn,
  moneyColumn,
  quantityColumn,
  textColumn,
} from '../../../../src/renderer/grid/columns/value-columns.tsx';

const head = { id: 'it', title: 'It', width: 100 };
const same = <Value>(value: Value): Value => value;
const drawn = <Value>(column: GridColumn<Value>, value: Value) => renderToStaticMarkup(column.cell(value));
const NO_VALUE = 'class="no-value"';

describe('copied cells', () => {
  test('numbers are copied exactly and text as text', () => {
    expect(moneyColumn(head, same<number | null>).copy(-123456)).toEqual({ exact: '-1234.56' });
    expect(countColumn(head, same<number>).copy(1204)).toEqual({ exact: '1204' });
    expect(idColumn(head, same<number | null>).copy(80169751)).toEqual({ exact: '80169751' });
    expect(quantityColumn(head, same<number | string | null>).copy('-0.50')).toEqual({ exact: '-0.50' });
    expect(dateColumn(head, same<string | null>).copy('2026-10-07')).toEqual({ text: '2026-10-07' });
    expect(textColumn(head, same<string | null>).copy('=1+1')).toEqual({ text: '=1+1' });
  });

  test('missing values are copied as empty cells', () => {
    expect(moneyColumn(head, same<number | null>).copy(null)).toEqual({ exact: '' });
    expect(idColumn(head, same<number | null>).copy(null)).toEqual({ exact: '' });
    expect(quantityColumn(head, same<number | string | null>).copy(null)).toEqual({ exact: '' });
    for (const column of [textColumn, dateColumn, dateTimeColumn])
      expect(column(head, same<string | null>).copy(null)).toEqual({ text: '' });
  });
});

describe('rendered cells', () => {
  test('text has its tone and a tooltip with the full text', () => {
    expect(drawn(textColumn(head, same<string | null>), 'Acme & Co')).toBe(
      '<span title="Acme &amp; Co">Acme &amp; Co</span>',
    );
    expect(drawn(textColumn({ ...head, tone: 'strong' }, same<string | null>), 'Acme')).toBe(
      '<span class="grid-strong" title="Acme">Acme</span>',
    );
  });

  test('amounts show the currency of their row if currencies differ', () => {
    const row = { cents: 100, currency: 'EUR' };
    const several = moneyColumn(
      head,
      ({ cents }: typeof row) => cents,
      ({ currency }) => currency,
    );
    expect(drawn(several, row)).toContain('€');
    expect(several.copy(row)).toEqual({ exact: '1.00' });
    expect(
      drawn(
        moneyColumn(head, ({ cents }: typeof row) => cents),
        row,
      ),
    ).not.toContain('€');
  });

  test('missing values are announced to screen readers', () => {
    for (const column of [textColumn, dateColumn, dateTimeColumn, moneyColumn, idColumn, quantityColumn])
      expect(drawn(column(head, same<null>), null)).toContain(NO_VALUE);
    expect(drawn(textColumn(head, same<string>), '')).toContain(NO_VALUE);
  });

  test('numbers are aligned to the end', () => {
    for (const column of [moneyColumn, countColumn, quantityColumn])
      expect(column(head, same<number>).alignEnd).toBe(true);
    expect(textColumn(head, same<string>).alignEnd).toBeUndefined();
  });
});
