import { describe, expect, test } from 'vitest';
import {
  applyColumnLayout,
  type GridColumn,
  getColumnLayout,
  getFrozenOffsets,
  getGridTemplateColumns,
  getMinRowWidth,
  MAX_COLUMN_WIDTH_PX,
  MIN_COLUMN_WIDTH_PX,
  moveColumn,
  moveColumnTo,
  setColumnShown,
  setColumnWidth,
} from '../../../../src/renderer/grid/columns/column-layout.ts';

const column = (id: string, more: Partial<GridColumn<null>> = {}): GridColumn<null> => ({
  id,
  title: id.toUpperCase(),
  width: 100,
  cell: () => null,
  copy: () => ({ text: '' }),
  ...more,
});
const columns = [column('a'), column('b', { fillsSpace: true }), column('c', { startsHidden: true })];
const ids = (of: readonly GridColumn<null>[]) => of.map(({ id }) => id).join(' ');

describe('column layout', () => {
  test('uses the declared columns if no layout is stored', () => {
    expect(ids(applyColumnLayout(columns, undefined).shown)).toBe('a b');
    expect(getColumnLayout(columns, undefined)).toEqual({
      order: ['a', 'b', 'c'],
      hidden: ['c'],
      widths: {},
      frozen: 1,
    });
  });

  test('shows, hides, moves and resizes columns', () => {
    const layout = getColumnLayout(columns, undefined);
    expect(ids(applyColumnLayout(columns, setColumnShown(layout, 'c', true)).shown)).toBe('a b c');
    expect(ids(applyColumnLayout(columns, setColumnShown(layout, 'a', false)).shown)).toBe('b');
    expect(ids(applyColumnLayout(columns, moveColumn(layout, 'b', -1)).shown)).toBe('b a');
    expect(moveColumn(layout, 'a', -1)).toBe(layout);
    expect(applyColumnLayout(columns, setColumnWidth(layout, 'a', 240.4)).shown[0]?.width).toBe(240);
    expect(setColumnWidth(layout, 'a', 1).widths['a']).toBe(MIN_COLUMN_WIDTH_PX);
    expect(setColumnWidth(layout, 'a', 1e6).widths['a']).toBe(MAX_COLUMN_WIDTH_PX);
  });

  test('does not hide the last visible column', () => {
    let layout = getColumnLayout(columns, undefined);
    for (const id of ['a', 'b']) layout = setColumnShown(layout, id, false);
    expect(applyColumnLayout(columns, layout).shown).toHaveLength(1);
  });

  test('inserts a new column at its declared position and ignores a removed one', () => {
    const chosen = { order: ['c', 'gone', 'a'], hidden: ['c'], widths: { gone: 50 }, frozen: 2 };
    const { all, shown } = applyColumnLayout(columns, chosen);
    expect(ids(all)).toBe('c a b');
    expect(ids(shown)).toBe('a b');
  });

  test('moves a column to the position of another one across hidden columns', () => {
    const layout = { order: ['a', 'c', 'b', 'd'], hidden: ['c'], widths: {}, frozen: 0 };
    expect(moveColumnTo(layout, 'a', 'b').order).toEqual(['c', 'b', 'a', 'd']);
    expect(moveColumnTo(layout, 'd', 'a').order).toEqual(['d', 'a', 'c', 'b']);
    expect(moveColumnTo(layout, 'b', 'b')).toBe(layout);
  });

  test('frozen columns follow each other from the left edge', () => {
    const shown = [column('a', { width: 80 }), column('b', { width: 120 }), column('c')];
    expect(getFrozenOffsets(shown, 2, true)).toEqual([34, 114]);
    expect(getFrozenOffsets(shown, 1, false)).toEqual([6]);
    expect(getFrozenOffsets(shown, 0, true)).toEqual([]);
  });

  test('lets one column fill the remaining width', () => {
    expect(getGridTemplateColumns(applyColumnLayout(columns, undefined).shown, true)).toBe(
      '34px 100px minmax(100px, 1fr)',
    );
    expect(getGridTemplateColumns([column('a')], false)).toBe('6px 100px 1fr');
    expect(getMinRowWidth([column('a'), column('b')], true)).toBe(234);
  });
});
