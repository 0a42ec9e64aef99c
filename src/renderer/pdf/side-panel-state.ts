import { selectTab, useWindowState } from '../navigation/window-state.ts';

/** Tabs of the PDF viewer's side panel. */
const sidePanelTabs = ['pages', 'outline', 'hits'] as const;
export type PdfSidePanelTab = (typeof sidePanelTabs)[number];

/** Viewer to which the side panel belongs: a single PDF, or one of two PDFs being compared. */
export type PdfSidePanelOwner = 'pdf' | 'pdfs';

const parseSidePanelTab = (tab: string | undefined): PdfSidePanelTab | null =>
  sidePanelTabs.find((side) => side === tab) ?? null;

/** Returns the selected tab of the side panel, or null if the panel is hidden. */
export function usePdfSidePanelTab(of: PdfSidePanelOwner): PdfSidePanelTab | null {
  return useWindowState((view) => parseSidePanelTab(view.tabs[of]));
}

export function showPdfSidePanel(of: PdfSidePanelOwner, side: PdfSidePanelTab | null): void {
  selectTab(of, side ?? 'none');
}

/** Shows the side panel with the given tab. If that tab is already shown, hides the panel. */
export function togglePdfSidePanel(of: PdfSidePanelOwner, side: PdfSidePanelTab): void {
  showPdfSidePanel(of, parseSidePanelTab(useWindowState.getState().tabs[of]) === null ? side : null);
}
