import type { Route } from './route.ts';
import { navigate, selectTab } from './window-state.ts';

/** Location of a record in the window: its screen, its item there, and, for a statement, the tab to show. */
export interface RecordLocation {
  readonly screen: Route['screen'];
  readonly item: string;
  readonly tab?: 'transactions' | 'events' | 'pdf';
}

/** Functions that return the location of each kind of record. */
export const recordLocations = {
  statement: (id: number, tab?: RecordLocation['tab']): RecordLocation => ({
    screen: 'statements',
    item: String(id),
    ...(tab ? { tab } : {}),
  }),
  subscription: (id: number): RecordLocation => ({ screen: 'subscriptions', item: String(id) }),
  bankLine: (id: number): RecordLocation => ({ screen: 'bank', item: String(id) }),
  match: (id: number): RecordLocation => ({ screen: 'matching', item: String(id) }),
  webhook: (id: number): RecordLocation => ({ screen: 'webhooks', item: String(id) }),
  exception: (id: number): RecordLocation => ({ screen: 'exceptions', item: String(id) }),
  subscriptionComponent: (subscription: number, component: number): RecordLocation => ({
    screen: 'allocations',
    item: `${subscription}-${component}`,
  }),
};

/** Opens a record on the screen where it is located. */
export function openRecordLocation({ screen, item, tab }: RecordLocation): void {
  if (tab) selectTab('statement', tab);
  navigate({ screen, item });
}
