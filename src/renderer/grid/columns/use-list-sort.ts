import { useMemo } from 'react';
import { changeUserSetting, useUserSettings } from '../../user-settings/user-settings.ts';

/** Key and direction by which a list is sorted. */
export interface ListSort<Key extends string = string> {
  readonly by: Key;
  readonly direction: 'asc' | 'desc';
}

/** Returns a grid's stored sort order and its setter. The default is the first key, descending. */
export function useListSort<Key extends string>(
  name: string,
  keys: readonly [Key, ...Key[]],
): readonly [ListSort<Key>, (sort: ListSort) => void] {
  const stored = useUserSettings((settings) => settings.sorts[name]);
  const by = keys.find((key) => key === stored?.by);
  const direction = by === undefined ? 'desc' : (stored?.direction ?? 'desc');
  const sort = useMemo(() => ({ by: by ?? keys[0], direction }) as const, [by, direction, keys]);
  return [sort, (next) => changeUserSetting('sorts', { ...useUserSettings.getState().sorts, [name]: next })];
}
