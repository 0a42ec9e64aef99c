import { useMemo } from 'react';
import { choose, useChosen } from '../settings/chosen.ts';

export interface Sort {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

/** The order of a list, remembered by the grid's name; the first of the orders, newest first, until one is chosen. */
export function useSort<By extends string>(
  name: string,
  orders: readonly [By, ...By[]],
): readonly [{ readonly by: By; readonly direction: 'asc' | 'desc' }, (sort: Sort) => void] {
  const chosen = useChosen((all) => all.sorts[name]);
  const by = orders.find((order) => order === chosen?.by);
  const direction = by === undefined ? 'desc' : (chosen?.direction ?? 'desc');
  const sort = useMemo(() => ({ by: by ?? orders[0], direction }) as const, [by, direction, orders]);
  return [sort, (next) => choose('sorts', { ...useChosen.getState().sorts, [name]: next })];
}
