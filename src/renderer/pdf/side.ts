import { setTab, useView } from '../view/view.ts';

/** What can stand beside the pages. */
const sides = ['pages', 'outline', 'hits'] as const;
export type Side = (typeof sides)[number];

/** Whose sides they are: of one PDF, or of two that stand beside each other already. */
export type SideOf = 'pdf' | 'pdfs';

const sideIn = (tab: string | undefined): Side | null => sides.find((side) => side === tab) ?? null;

/** What stands beside the pages; null where nothing does. */
export function useSide(of: SideOf): Side | null {
  return useView((view) => sideIn(view.tabs[of]));
}

export function showSide(of: SideOf, side: Side | null): void {
  setTab(of, side ?? 'none');
}

/** Shows what stands beside the pages, or hides it. */
export function toggleSide(of: SideOf, side: Side): void {
  showSide(of, sideIn(useView.getState().tabs[of]) === null ? side : null);
}
