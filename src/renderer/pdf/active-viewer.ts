import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { changeUserSetting } from '../user-settings/user-settings.ts';
import type { PdfPageLayout, PdfReader, PdfReaderState } from './pdf-reader.ts';
import type { PdfSidePanelOwner } from './side-panel-state.ts';

/** PDF viewer that shortcut keys and commands act on: the one used last. */
export interface ActivePdfViewer {
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  readonly sidePanelOwner: PdfSidePanelOwner;
  /** Goes to the next or previous match, which may be in another document. */
  goToMatch(backwards: boolean): void;
  print(): void;
  save(): void;
}

export const useActivePdfViewerStore = create<{ readonly viewer: ActivePdfViewer | null }>(() => ({
  viewer: null,
}));

export function setActivePdfViewer(viewer: ActivePdfViewer): void {
  useActivePdfViewerStore.setState({ viewer });
}

/** Makes a viewer the active one when its document is shown, updates its data, and removes it when it unmounts. */
export function useActivePdfViewer(viewer: ActivePdfViewer | null): void {
  const lastReader = useRef<PdfReader | null>(null);
  const reader = viewer?.reader ?? null;
  useEffect(() => {
    if (!viewer) return;
    const active = useActivePdfViewerStore.getState().viewer;
    if (lastReader.current !== viewer.reader || active === null || active.reader === viewer.reader)
      setActivePdfViewer(viewer);
    lastReader.current = viewer.reader;
  });
  useEffect(() => {
    if (reader === null) return;
    return () =>
      useActivePdfViewerStore.setState((now) => (now.viewer?.reader === reader ? { viewer: null } : now));
  }, [reader]);
}

/** Sets the page layout of this PDF and of all PDFs that are opened later. */
export function setPdfPageLayout(reader: PdfReader, layout: PdfPageLayout): void {
  reader.setLayout(layout);
  changeUserSetting('pdf.layout', layout);
}
