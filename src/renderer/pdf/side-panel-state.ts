import { selectTab, useWindowState } from '../navigation/window-state.ts';

/** Tabs of the side panel. */
const sidePanelTabs = ['pages', 'outline', 'hits'] as const;
export type SidePanelTab = (typeof sidePanelTabs)[number];

/** Viewer that the side panel belongs to: a single PDF, or one of two compared PDFs. */
export type SidePanelOwner = 'pdf' | 'pdfs';

const parseSidePanelTab = (tab: string | undefined): SidePanelTab | null =>
  sidePanelTabs.find((side) => side === tab) ?? null;

/** Returns the selected tab of the side panel; null if the panel is hidden. */
export function useSidePanelTab(of: SidePanelOwner): SidePanelTab | null {
  return useWindowState((view) => parseSidePanelTab(view.tabs[of]));
}

export function showSidePanel(of: SidePanelOwner, side: SidePanelTab | null): void {
  selectTab(of, side ?? 'none');
}

/** Shows the side panel with this tab, or hides it if it is shown. */
export function toggleSidePanel(of: SidePanelOwner, side: SidePanelTab): void {
  showSidePanel(of, parseSidePanelTab(useWindowState.getState().tabs[of]) === null ? side : null);
}
