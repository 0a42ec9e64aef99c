import type { Route } from './route.ts';
import { navigate, selectTab } from './window-state.ts';

/** Location of a record in the window: its screen, its item there, and, for a statement, the tab to show. */
export interface RecordLocation {
  readonly screen: Route['screen'];
  readonly item: string;
  readonly tab?: 'transactions' | 'events' | 'pdf';
}

const onScreen = (screen: RecordLocation['screen']) => (id: number) => ({ screen, item: String(id) });

/** Functions that return the location of each kind of record. */
export const recordLocations = {
  statement: (id: number, tab?: RecordLocation['tab']): RecordLocation => ({
    ...onScreen('statements')(id),
    ...(tab ? { tab } : {}),
  }),
  subscription: onScreen('subscriptions'),
  bankLine: onScreen('bank'),
  match: onScreen('matching'),
  webhook: onScreen('webhooks'),
  exception: onScreen('exceptions'),
  subscriptionComponent: (subscription: number, component: number): RecordLocation => ({
    screen: 'allocations',
    item: `${subscription}-${component}`,
  }),
};

/** Opens a record on the screen where it is located. */
export function openRecordLocation({ screen, item, tab }: RecordLocation): void {
  navigate({ screen, item });
  if (tab) selectTab('statement', tab);
}
