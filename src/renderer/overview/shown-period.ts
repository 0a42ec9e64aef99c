import { useEffect } from 'react';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { selectTab, useWindowState } from '../navigation/window-state.ts';

/** Value of the period selection that means all months. */
export const ALL_TIME = 'all';

/** Keys for storing the chosen and the shown period. The previous and next commands start from the shown one. */
export const CHOSEN_PERIOD_STATE_KEY = 'period';
export const SHOWN_PERIOD_STATE_KEY = 'period shown';

/** Returns the chosen period if it exists, otherwise the due month, which may change during the first sync. */
export function resolveShownPeriod(
  chosen: string | undefined,
  { months, due }: { readonly months: readonly { readonly period: string }[]; readonly due: string | null },
): string {
  if (chosen === ALL_TIME || (chosen !== undefined && months.some(({ period }) => period === chosen)))
    return chosen;
  return due ?? ALL_TIME;
}

/** Returns the period that the overview shows: the chosen one, or the month that is due. Returns null while loading. */
export function useShownPeriod(site: string, ready: boolean): string | null {
  const chosen = useWindowState((state) => state.tabs[CHOSEN_PERIOD_STATE_KEY]);
  const { data } = useQuery('check.months', ready ? { site } : null);
  const period = data === undefined ? null : resolveShownPeriod(chosen, data);
  useEffect(() => {
    if (period !== null) selectTab(SHOWN_PERIOD_STATE_KEY, period);
  }, [period]);
  return period;
}
