import type { Route } from './route.ts';
import { go, setTab } from './view.ts';

/** Where something is at home: the screen and what is open there, and of a statement the part in front. */
export interface Place {
  readonly screen: Route['screen'];
  readonly item: string;
  readonly part?: 'transactions' | 'events' | 'pdf';
}

/** The home of each kind of row. */
export const placeOf = {
  statement: (id: number, part?: Place['part']): Place => ({
    screen: 'statements',
    item: String(id),
    ...(part ? { part } : {}),
  }),
  subscription: (id: number): Place => ({ screen: 'subscriptions', item: String(id) }),
  bankLine: (id: number): Place => ({ screen: 'bank', item: String(id) }),
  match: (id: number): Place => ({ screen: 'matching', item: String(id) }),
  webhook: (id: number): Place => ({ screen: 'webhooks', item: String(id) }),
  exception: (id: number): Place => ({ screen: 'exceptions', item: String(id) }),
  pair: (subscription: number, component: number): Place => ({
    screen: 'allocations',
    item: `${subscription}-${component}`,
  }),
};

/** Goes to the screen and row of a thing that is named elsewhere. */
export function openPlace({ screen, item, part }: Place): void {
  if (part) setTab('statement', part);
  go({ screen, item });
}
