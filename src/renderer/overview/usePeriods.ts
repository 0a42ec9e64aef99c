import { useEffect, useMemo } from 'react';
import { useQuery } from '../backend/hooks.ts';
import { setTab, useView } from '../view/view.ts';
import { lastComplete, monthsBetween } from './periods.ts';

export const ALL = 'all';

/** The months held of a site, the newest first; undefined until known. */
export function useMonths(site: string): readonly string[] | undefined {
  const { data: webhooks } = useQuery('webhooks.facets', { site });
  const { data: statements } = useQuery('statements.list', {
    site,
    sort: { by: 'opened_at', direction: 'asc' },
    limit: 1,
  });
  const opened = statements?.rows[0]?.opened_at?.slice(0, 10) ?? null;
  return useMemo(() => {
    if (!webhooks || !statements) return undefined;
    const days = [webhooks.first_day, webhooks.last_day, opened].filter((day) => day !== null).sort();
    const [first, last] = [days[0], days.at(-1)];
    return first && last ? monthsBetween(first, last) : [];
  }, [webhooks, statements, opened]);
}

/** The period the overview shows: what was chosen, else the last complete month held. Null until it is known. */
export function usePeriod(site: string): string | null {
  const chosen = useView((view) => view.tabs['period']);
  const { data: webhooks } = useQuery('webhooks.facets', { site });
  const months = useMonths(site);
  const first = months?.at(-1);
  const fallback =
    months === undefined
      ? null
      : first && webhooks?.last_day
        ? lastComplete(`${first}-01`, webhooks.last_day)
        : ALL;
  const known = chosen !== undefined && (chosen === ALL || months === undefined || months.includes(chosen));
  const period = known ? chosen : fallback;
  // The commands that go a month on or back begin here.
  useEffect(() => {
    if (period !== null && period !== chosen) setTab('period', period);
  }, [period, chosen]);
  return period;
}
