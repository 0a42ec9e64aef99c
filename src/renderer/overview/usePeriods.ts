import { useEffect } from 'react';
import { useQuery } from '../backend/hooks.ts';
import { setTab, useView } from '../view/view.ts';

export const ALL = 'all';

/** The period the overview shows: what was chosen, else the month that is due. Null until it is known, or there is none yet. */
export function usePeriod(site: string, ready: boolean): string | null {
  const chosen = useView((view) => view.tabs['period']);
  const { data } = useQuery('check.months', ready ? { site } : null);
  const known = chosen === ALL || data?.months.some(({ period }) => period === chosen) === true;
  const period = data === undefined ? null : chosen !== undefined && known ? chosen : (data.due ?? ALL);
  // The commands that go a month on or back begin here.
  useEffect(() => {
    if (period !== null && period !== chosen) setTab('period', period);
  }, [period, chosen]);
  return period;
}
