import { expect, it } from 'vitest';
import { FluxRowSorter } from '../../../src/backend/store/workpaper/flux-row-sorter.ts';

const row = (figure: number, subscription: number | null, cents: number) => ({
  ...{ figure, subscription, cents, day: cents > 0 ? '2026-05-02' : null },
  ...{ nature: 'component', item: 'Desks', quantity: cents > 0 ? 3 : null },
});

it('reads the rows of a figure by subscription, unchanged and in their order', () => {
  const sorter = new FluxRowSorter();
  sorter.add([row(1, 90, 5), row(0, 12, -7), row(1, null, 8), row(1, 12, -6)], 'previous');
  sorter.add([], 'current');
  sorter.add([row(1, 12, -9), row(1, null, 4)], 'current');
  expect([...sorter.read(1)]).toEqual([
    { ...row(1, null, 8), month: 'previous' },
    { ...row(1, null, 4), month: 'current' },
    { ...row(1, 12, -6), month: 'previous' },
    { ...row(1, 12, -9), month: 'current' },
    { ...row(1, 90, 5), month: 'previous' },
  ]);
  expect([...sorter.read(0)]).toEqual([{ ...row(0, 12, -7), month: 'previous' }]);
  expect([...sorter.read(2)]).toEqual([]);
  sorter.close();
});
