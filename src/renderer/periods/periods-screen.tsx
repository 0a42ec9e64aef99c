import type { Site } from '../../contract/index.ts';
import { useWindowState } from '../navigation/window-state.ts';
import { PeriodList } from './period-list.tsx';
import { PeriodPage } from './period-page.tsx';
import { parsePeriodRoute } from './route.ts';
import './periods.css';

/** Screen that shows the list of periods, or the period named in the route. */
export function PeriodsScreen({ site }: { readonly site: Site }) {
  const route = parsePeriodRoute(useWindowState((state) => state.route.item));
  if (route === null) return <PeriodList site={site} />;
  return <PeriodPage key={route.period} site={site} route={route} />;
}
