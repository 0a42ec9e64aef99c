import type { Site } from '../../contract/index.ts';
import { useView } from '../view/view.ts';
import { PeriodList } from './period-list.tsx';
import { PeriodPage } from './period-page.tsx';
import { periodPlace } from './place.ts';
import './periods.css';

/** The periods of a site; the one the address names, from its workpaper to its evidence pack. */
export function PeriodsScreen({ site }: { readonly site: Site }) {
  const place = periodPlace(useView((view) => view.route.item));
  if (place === null) return <PeriodList site={site} />;
  return <PeriodPage key={place.period} site={site} place={place} />;
}
