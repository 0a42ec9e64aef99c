import { navigate } from '../navigation/window-state.ts';

/** Parses the subscription and component ids from a route item. Returns null for any other item. */
export function parseSubscriptionComponent(
  item: string | null,
): { readonly subscription_id: number; readonly component_id: number } | null {
  const parts = /^(\d+)-(\d+)$/.exec(item ?? '');
  return parts && { subscription_id: Number(parts[1]), component_id: Number(parts[2]) };
}

/** Route item that opens the list of drafts. */
export const DRAFTS_ROUTE_ITEM = 'drafts';

/** Returns the draft id in a route item, or null if the item is not a draft. */
export function parseDraftId(item: string | null): string | null {
  return /^draft-([\w-]+)$/.exec(item ?? '')?.[1] ?? null;
}

/** Returns true if the route item is the list of drafts or a single draft. */
export function isDraftRoute(item: string | null): boolean {
  return item === DRAFTS_ROUTE_ITEM || parseDraftId(item) !== null;
}

/** Returns the route item to show after the given item is closed. Closing a draft returns to the list of drafts. */
export function getParentAllocationRoute(item: string | null): string | null {
  return parseDraftId(item) === null ? null : DRAFTS_ROUTE_ITEM;
}

export function openAllocationDraft(draft: string): void {
  navigate({ screen: 'allocations', item: `draft-${draft}` });
}

export function openAllocationDrafts(): void {
  navigate({ screen: 'allocations', item: DRAFTS_ROUTE_ITEM });
}
