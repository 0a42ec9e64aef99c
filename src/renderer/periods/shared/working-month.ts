import { useEffect } from 'react';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { selectTab } from '../../navigation/window-state.ts';
import { changeUserSetting, useUserSettings } from '../../user-settings/user-settings.ts';

/** Value of the working month that means all months. */
export const ALL_TIME = 'all';

/** Key under which the shown month is stored, for the commands that go to the previous or next month. */
export const SHOWN_MONTH_STATE_KEY = 'month shown';

/** Returns the chosen month if it exists, otherwise the suggested month, which may change during the first sync. */
export function resolveWorkingMonth(
  chosen: string | undefined,
  { months, due }: { readonly months: readonly { readonly period: string }[]; readonly due: string | null },
): string {
  if (chosen === ALL_TIME || (chosen !== undefined && months.some(({ period }) => period === chosen)))
    return chosen;
  return due ?? ALL_TIME;
}

/** Chooses the month that the overview and the periods show. The choice is stored per site. */
export function chooseWorkingMonth(site: string, month: string): void {
  changeUserSetting('months', { ...useUserSettings.getState().months, [site]: month });
}

/** Returns the month that the user works on, or `ALL_TIME`; null while loading. If `ready` is false, loads nothing. */
export function useWorkingMonth(site: string, ready = true): string | null {
  const chosen = useUserSettings(({ months }) => months[site]);
  const { data } = useQuery('check.months', ready ? { site } : null);
  const month = data === undefined ? null : resolveWorkingMonth(chosen, data);
  useEffect(() => {
    if (month !== null) selectTab(SHOWN_MONTH_STATE_KEY, month);
  }, [month]);
  return month;
}
