import { useMemo } from 'react';
import type { ListSort } from '../../navigation/address.ts';
import { setListSort, useWindowState } from '../../navigation/window-state.ts';
import { changeUserSetting, useUserSettings } from '../../user-settings/user-settings.ts';

export type { ListSort } from '../../navigation/address.ts';

/** Returns a grid's sort order (from the address, else stored, else the first key descending) and its setter. */
export function useListSort<Key extends string>(
  name: string,
  keys: readonly [Key, ...Key[]],
): readonly [ListSort<Key>, (sort: ListSort) => void] {
  const addressed = useWindowState((state) => state.sorts[name]);
  const chosen = useUserSettings((settings) => settings.sorts[name]);
  const stored = addressed ?? chosen;
  const by = keys.find((key) => key === stored?.by);
  const direction = by === undefined ? 'desc' : (stored?.direction ?? 'desc');
  const isGrouped = by !== undefined && addressed?.isGrouped === true;
  const sort = useMemo(
    () => ({ by: by ?? keys[0], direction, ...(isGrouped && { isGrouped }) }) as const,
    [by, direction, isGrouped, keys],
  );
  const store = (next: ListSort) => {
    const { isGrouped: _, ...order } = next;
    changeUserSetting('sorts', { ...useUserSettings.getState().sorts, [name]: order });
    setListSort(name, next);
  };
  return [sort, store];
}
