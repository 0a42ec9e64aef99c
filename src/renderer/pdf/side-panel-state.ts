import { selectTab, useWindowState } from '../navigation/window-state.ts';

/** Tabs of the PDF viewer's side panel. */
const sidePanelTabs = ['pages', 'outline', 'hits'] as const;
export type SidePanelTab = (typeof sidePanelTabs)[number];

/** Viewer to which the side panel belongs: a single PDF, or one of two PDFs being compared. */
export type SidePanelOwner = 'pdf' | 'pdfs';

const parseSidePanelTab = (tab: string | undefined): SidePanelTab | null =>
  sidePanelTabs.find((side) => side === tab) ?? null;

/** Returns the selected tab of the side panel, or null if the panel is hidden. */
export function useSidePanelTab(of: SidePanelOwner): SidePanelTab | null {
  return useWindowState((view) => parseSidePanelTab(view.tabs[of]));
}

export function showSidePanel(of: SidePanelOwner, side: SidePanelTab | null): void {
  selectTab(of, side ?? 'none');
}

/** Shows the side panel with the given tab. If that tab is already shown, hides the panel. */
export function toggleSidePanel(of: SidePanelOwner, side: SidePanelTab): void {
  showSidePanel(of, parseSidePanelTab(useWindowState.getState().tabs[of]) === null ? side : null);
}
