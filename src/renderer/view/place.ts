import type { Route } from './route.ts';
import { go, setTab } from './view.ts';

/** Where something is at home: the screen and what is open there, and of a statement the part in front. */
export interface Place {
  readonly screen: Route['screen'];
  readonly item: string;
  readonly part?: 'transactions' | 'events';
}

/** The home of each kind of row. */
export const placeOf = {
  statement: (id: number, part?: Place['part']): Place => ({
    screen: 'statements',
    item: String(id),
    ...(part ? { part } : {}),
  }),
  webhook: (id: number): Place => ({ screen: 'webhooks', item: String(id) }),
  exception: (id: number): Place => ({ screen: 'exceptions', item: String(id) }),
  pair: (subscription: number, component: number): Place => ({
    screen: 'allocations',
    item: `${subscription}-${component}`,
  }),
};

export function openPlace({ screen, item, part }: Place): void {
  if (part) setTab('statement', part);
  go({ screen, item });
}
