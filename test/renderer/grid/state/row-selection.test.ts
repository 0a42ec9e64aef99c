import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activeRowSelection,
  allRowsSelection,
  countSelectedRows,
  isRowSelected,
  type RowSelection,
  toggleRowSelection,
} from '../../../../src/renderer/grid/state/row-selection.ts';

const selectIds = (...ids: number[]): RowSelection => ({ kind: 'some', ids: new Set(ids) });

describe('row selection', () => {
  test('the active row counts as selected until rows are selected explicitly', () => {
    expect(isRowSelected(activeRowSelection, 3, 3)).toBe(true);
    expect(isRowSelected(activeRowSelection, 4, 3)).toBe(false);
    expect(countSelectedRows(activeRowSelection, 100, 3)).toBe(1);
    expect(countSelectedRows(activeRowSelection, 100, null)).toBe(0);
  });

  test('a key press selects the active row, and Ctrl+click keeps it selected', () => {
    expect(toggleRowSelection(activeRowSelection, 5, 3)).toEqual(selectIds(5));
    expect(toggleRowSelection(activeRowSelection, 5, 3, true)).toEqual(selectIds(3, 5));
    expect(toggleRowSelection(activeRowSelection, 5, 5, true)).toEqual(selectIds(5));
  });

  test('deselecting the last row leaves nothing selected', () => {
    expect(toggleRowSelection(selectIds(5), 5, 5)).toEqual(activeRowSelection);
  });

  test('all rows except deselected ones can be selected', () => {
    const without = toggleRowSelection(toggleRowSelection(allRowsSelection, 7, 1), 8, 1);
    expect(countSelectedRows(without, 1_204, 1)).toBe(1_202);
    expect(isRowSelected(without, 7, 7)).toBe(false);
    expect(isRowSelected(without, 9, 1)).toBe(true);
    expect(toggleRowSelection(without, 7, 1)).toEqual({ kind: 'all', except: new Set([8]) });
  });

  test('toggling a row twice changes nothing', () => {
    const ids = fc.uniqueArray(fc.nat(50), { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.boolean(), fc.nat(50), (picked, all, id) => {
        const before: RowSelection = all ? { kind: 'all', except: new Set(picked) } : selectIds(...picked);
        const after = toggleRowSelection(toggleRowSelection(before, id, null), id, null);
        for (let other = 0; other <= 50; other += 1) {
          expect(isRowSelected(after, other, null)).toBe(isRowSelected(before, other, null));
        }
      }),
    );
  });
});
