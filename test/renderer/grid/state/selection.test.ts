import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allSelected,
  followsActiveRow,
  isSelected,
  type RowSelection,
  selectedCount,
  toggleRow,
} from '../../../../src/renderer/grid/state/selection.ts';

const selectIds = (...ids: number[]): RowSelection => ({ kind: 'some', ids: new Set(ids) });

describe('row selection', () => {
  test('the active row counts as selected until rows are selected explicitly', () => {
    expect(isSelected(followsActiveRow, 3, 3)).toBe(true);
    expect(isSelected(followsActiveRow, 4, 3)).toBe(false);
    expect(selectedCount(followsActiveRow, 100, 3)).toBe(1);
    expect(selectedCount(followsActiveRow, 100, null)).toBe(0);
  });

  test('a key press selects the active row, and Ctrl+click keeps it selected', () => {
    expect(toggleRow(followsActiveRow, 5, 3)).toEqual(selectIds(5));
    expect(toggleRow(followsActiveRow, 5, 3, true)).toEqual(selectIds(3, 5));
    expect(toggleRow(followsActiveRow, 5, 5, true)).toEqual(selectIds(5));
  });

  test('deselecting the last row leaves nothing selected', () => {
    expect(toggleRow(selectIds(5), 5, 5)).toEqual(followsActiveRow);
  });

  test('all rows except deselected ones can be selected', () => {
    const without = toggleRow(toggleRow(allSelected, 7, 1), 8, 1);
    expect(selectedCount(without, 1_204, 1)).toBe(1_202);
    expect(isSelected(without, 7, 7)).toBe(false);
    expect(isSelected(without, 9, 1)).toBe(true);
    expect(toggleRow(without, 7, 1)).toEqual({ kind: 'all', except: new Set([8]) });
  });

  test('toggling a row twice changes nothing', () => {
    const ids = fc.uniqueArray(fc.nat(50), { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.boolean(), fc.nat(50), (picked, all, id) => {
        const before: RowSelection = all ? { kind: 'all', except: new Set(picked) } : selectIds(...picked);
        const after = toggleRow(toggleRow(before, id, null), id, null);
        for (let other = 0; other <= 50; other += 1) {
          expect(isSelected(after, other, null)).toBe(isSelected(before, other, null));
        }
      }),
    );
  });
});
