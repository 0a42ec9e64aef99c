import { navigate } from '../navigation/window-state.ts';

/** Parses the subscription and component of a route item, or returns null. */
export function toSubscriptionComponent(
  item: string | null,
): { readonly subscription_id: number; readonly component_id: number } | null {
  const parts = /^(\d+)-(\d+)$/.exec(item ?? '');
  return parts && { subscription_id: Number(parts[1]), component_id: Number(parts[2]) };
}

/** Route item of the list of drafts. */
export const DRAFTS_ITEM = 'drafts';

/** Returns the draft of a route item, or null if the item is not a draft. */
export function toDraftId(item: string | null): string | null {
  return /^draft-([\w-]+)$/.exec(item ?? '')?.[1] ?? null;
}

/** Returns true for the list of drafts and for a single draft. */
export function isDraftRoute(item: string | null): boolean {
  return item === DRAFTS_ITEM || toDraftId(item) !== null;
}

/** Returns the route item to show when an item is closed. A draft leads back to the list of drafts. */
export function parentRouteItem(item: string | null): string | null {
  return toDraftId(item) === null ? null : DRAFTS_ITEM;
}

export function openDraft(draft: string): void {
  navigate({ screen: 'allocations', item: `draft-${draft}` });
}

export function openDrafts(): void {
  navigate({ screen: 'allocations', item: DRAFTS_ITEM });
}
