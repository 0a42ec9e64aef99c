import { navigate } from '../navigation/window-state.ts';

/** The subscription and component that an address names. */
export function toSubscriptionComponent(
  item: string | null,
): { readonly subscription_id: number; readonly component_id: number } | null {
  const parts = /^(\d+)-(\d+)$/.exec(item ?? '');
  return parts && { subscription_id: Number(parts[1]), component_id: Number(parts[2]) };
}

/** The address of the list of drafts, among the allocations. */
export const DRAFTS_ITEM = 'drafts';

/** The draft that an address names; null where it names the list, or something else. */
export function toDraftId(item: string | null): string | null {
  return /^draft-([\w-]+)$/.exec(item ?? '')?.[1] ?? null;
}

/** Whether an address names the drafts, or one of them. */
export function isDraftRoute(item: string | null): boolean {
  return item === DRAFTS_ITEM || toDraftId(item) !== null;
}

/** Where closing what an address names leads: from a draft to the list of drafts. */
export function behind(item: string | null): string | null {
  return toDraftId(item) === null ? null : DRAFTS_ITEM;
}

export function openDraft(draft: string): void {
  navigate({ screen: 'allocations', item: `draft-${draft}` });
}

export function openDrafts(): void {
  navigate({ screen: 'allocations', item: DRAFTS_ITEM });
}
