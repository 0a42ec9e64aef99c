import { describe, expect, test } from 'vitest';
import {
  type Column,
  layoutNow,
  layoutOf,
  NARROWEST,
  rowWidth,
  templateOf,
  WIDEST,
  withMoved,
  withShown,
  withWidth,
} from '../../../src/renderer/grid/columns.ts';

const column = (id: string, more: Partial<Column<null>> = {}): Column<null> => ({
  id,
  title: id.toUpperCase(),
  width: 100,
  cell: () => null,
  copy: () => ({ text: '' }),
  ...more,
});
const columns = [column('a'), column('b', { grows: true }), column('c', { hidden: true })];
const ids = (of: readonly Column<null>[]) => of.map(({ id }) => id).join(' ');

describe('columns', () => {
  test('as declared, until something is chosen', () => {
    expect(ids(layoutOf(columns, undefined).shown)).toBe('a b');
    expect(layoutNow(columns, undefined)).toEqual({ order: ['a', 'b', 'c'], hidden: ['c'], widths: {} });
  });

  test('shown, hidden, moved and widened', () => {
    const layout = layoutNow(columns, undefined);
    expect(ids(layoutOf(columns, withShown(layout, 'c', true)).shown)).toBe('a b c');
    expect(ids(layoutOf(columns, withShown(layout, 'a', false)).shown)).toBe('b');
    expect(ids(layoutOf(columns, withMoved(layout, 'b', -1)).shown)).toBe('b a');
    expect(withMoved(layout, 'a', -1)).toBe(layout);
    expect(layoutOf(columns, withWidth(layout, 'a', 240.4)).shown[0]?.width).toBe(240);
    expect(withWidth(layout, 'a', 1).widths['a']).toBe(NARROWEST);
    expect(withWidth(layout, 'a', 1e6).widths['a']).toBe(WIDEST);
  });

  test('the last column in view stays', () => {
    let layout = layoutNow(columns, undefined);
    for (const id of ['a', 'b']) layout = withShown(layout, id, false);
    expect(layoutOf(columns, layout).shown).toHaveLength(1);
  });

  test('a column of a newer version keeps its declared place; one that is gone is ignored', () => {
    const chosen = { order: ['c', 'gone', 'a'], hidden: ['c'], widths: { gone: 50 } };
    const { all, shown } = layoutOf(columns, chosen);
    expect(ids(all)).toBe('c a b');
    expect(ids(shown)).toBe('a b');
  });

  test('one column takes the room that is left', () => {
    expect(templateOf(layoutOf(columns, undefined).shown, true)).toBe('34px 100px minmax(100px, 1fr)');
    expect(templateOf([column('a')], false)).toBe('8px 100px 1fr');
    expect(rowWidth([column('a'), column('b')], true)).toBe(234);
  });
});
