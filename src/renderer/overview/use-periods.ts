import { useEffect } from 'react';
import { useQuery } from '../backend/hooks.ts';
import { setTab, useView } from '../view/view.ts';

export const ALL = 'all';

/** What somebody chose; and what is shown, where the commands that go a month on or back begin. */
export const CHOSEN = 'period';
export const SHOWN = 'period shown';

/** Of what was chosen, what is known and what is due, the one to show. What is due moves while a first sync brings the months. */
export function periodToShow(
  chosen: string | undefined,
  { months, due }: { readonly months: readonly { readonly period: string }[]; readonly due: string | null },
): string {
  if (chosen === ALL || (chosen !== undefined && months.some(({ period }) => period === chosen)))
    return chosen;
  return due ?? ALL;
}

/** The period the overview shows: what was chosen, else the month that is due. Null until it is known, or there is none yet. */
export function usePeriod(site: string, ready: boolean): string | null {
  const chosen = useView((view) => view.tabs[CHOSEN]);
  const { data } = useQuery('check.months', ready ? { site } : null);
  const period = data === undefined ? null : periodToShow(chosen, data);
  useEffect(() => {
    if (period !== null) setTab(SHOWN, period);
  }, [period]);
  return period;
}
