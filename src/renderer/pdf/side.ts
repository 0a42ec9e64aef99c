import { setTab, useView } from '../view/view.ts';

/** What can stand beside the pages. */
const sides = ['pages', 'outline', 'hits'] as const;
export type Side = (typeof sides)[number];

const sideOf = (tab: string | undefined): Side | null => sides.find((side) => side === tab) ?? null;

/** What stands beside the pages; null where nothing does. */
export function useSide(): Side | null {
  return useView((view) => sideOf(view.tabs['pdf']));
}

export function showSide(side: Side | null): void {
  setTab('pdf', side ?? 'none');
}

/** Shows what stands beside the pages, or hides it. */
export function toggleSide(side: Side): void {
  showSide(sideOf(useView.getState().tabs['pdf']) === null ? side : null);
}
