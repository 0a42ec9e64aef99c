import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { changeUserSetting } from '../user-settings/user-settings.ts';
import type { PageLayout, PdfReader, PdfReaderState } from './pdf-reader.ts';
import type { SidePanelOwner } from './side-panel-state.ts';

/** PDF viewer that keys and commands act on, which is the one used last. */
export interface ActiveViewer {
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  readonly sidePanelOwner: SidePanelOwner;
  /** Goes to the next or previous match, which may be in another document. */
  goToMatch(backwards: boolean): void;
  print(): void;
  save(): void;
}

export const useActiveViewerStore = create<{ readonly viewer: ActiveViewer | null }>(() => ({
  viewer: null,
}));

export function setActiveViewer(viewer: ActiveViewer): void {
  useActiveViewerStore.setState({ viewer });
}

/** Makes a viewer the active one when its document is shown, updates its data, and removes it when it unmounts. */
export function useActiveViewer(viewer: ActiveViewer | null): void {
  const lastReader = useRef<PdfReader | null>(null);
  const reader = viewer?.reader ?? null;
  useEffect(() => {
    if (!viewer) return;
    const active = useActiveViewerStore.getState().viewer;
    if (lastReader.current !== viewer.reader || active === null || active.reader === viewer.reader)
      setActiveViewer(viewer);
    lastReader.current = viewer.reader;
  });
  useEffect(() => {
    if (reader === null) return;
    return () =>
      useActiveViewerStore.setState((now) => (now.viewer?.reader === reader ? { viewer: null } : now));
  }, [reader]);
}

/** Sets the page layout of this PDF and of all PDFs that are opened later. */
export function setPdfLayout(reader: PdfReader, layout: PageLayout): void {
  reader.setLayout(layout);
  changeUserSetting('pdf.layout', layout);
}
