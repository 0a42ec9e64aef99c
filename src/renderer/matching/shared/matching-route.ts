import { navigate } from '../../navigation/window-state.ts';

/** Tabs of the matching screen, in the order in which users work through them. */
export const matchingTabs = ['review', 'manual', 'payments', 'payouts', 'rules', 'runs'] as const;
type MatchingTab = (typeof matchingTabs)[number];

/** Route item of the matching screen after parsing. */
export interface MatchingRoute {
  readonly part: MatchingTab;
  /** Id of the open match, payment, payout, or rule, or null if none is open. */
  readonly id: number | null;
}

/** Parses a route item, for example `17` for a match or `payments-80`. Other text means the review tab. */
export function parseMatchingRoute(item: string | null): MatchingRoute {
  const [, name, id] = /^(?:(manual|payments|payouts|rules|runs)(?:-|$))?(\d{1,15})?$/.exec(item ?? '') ?? [];
  const part = matchingTabs.find((known) => known === name) ?? 'review';
  return { part, id: id === undefined ? null : Number(id) };
}

export function formatMatchingRoute({ part, id }: MatchingRoute): string | null {
  if (part === 'review') return id === null ? null : String(id);
  return id === null ? part : `${part}-${id}`;
}

/** Returns the route item to show after the open detail is closed, which is the list in the same tab. */
export function getMatchingParentRoute(item: string | null): string | null {
  return formatMatchingRoute({ part: parseMatchingRoute(item).part, id: null });
}

/** Opens a tab of the matching screen. `replace` replaces the current entry in the browser history. */
export function openMatchingTab(part: MatchingTab, id: number | null = null, replace = false): void {
  navigate({ screen: 'matching', item: formatMatchingRoute({ part, id }) }, replace);
}
