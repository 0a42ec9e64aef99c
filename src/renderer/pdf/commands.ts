import { Printer, RotateCw, Search, ZoomIn, ZoomOut } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { texts } from '../texts/texts.ts';
import { type ActivePdfViewer, setPdfPageLayout, useActivePdfViewerStore } from './active-viewer.ts';
import { openPdfFindBar } from './pdf-search-state.ts';
import { togglePdfSidePanel } from './side-panel-state.ts';

const text = texts.pdf;

type PdfCommandFields = Pick<Command, 'id' | 'title'> &
  Partial<Pick<Command, 'icon' | 'keys' | 'worksWhileTyping'>>;

/** Creates a command that acts on the active PDF viewer. */
function pdfCommand(command: PdfCommandFields, run: (front: ActivePdfViewer) => void): Command {
  return {
    section: 'statements',
    screens: ['statements'],
    ...command,
    enabled: () => (useActivePdfViewerStore.getState().viewer ? true : text.noneOpen),
    run: () => {
      const { viewer } = useActivePdfViewerStore.getState();
      if (viewer) run(viewer);
    },
  };
}

export const pdfCommands: readonly Command[] = [
  pdfCommand({ id: 'pdf.find', title: text.find, icon: Search, keys: ['Shift+F'] }, () => openPdfFindBar()),
  pdfCommand(
    { id: 'pdf.findNext', title: text.findNext, keys: ['F3', 'Mod+G'], worksWhileTyping: true },
    (front) => front.goToMatch(false),
  ),
  pdfCommand(
    {
      id: 'pdf.findPrevious',
      title: text.findPrevious,
      keys: ['Shift+F3', 'Mod+Shift+G'],
      worksWhileTyping: true,
    },
    (front) => front.goToMatch(true),
  ),
  pdfCommand(
    { id: 'pdf.print', title: text.print, icon: Printer, keys: ['Mod+P'], worksWhileTyping: true },
    (front) => front.print(),
  ),
  pdfCommand({ id: 'pdf.save', title: text.save }, (front) => front.save()),
  pdfCommand({ id: 'pdf.zoomIn', title: text.zoomIn, icon: ZoomIn, keys: ['+', '='] }, ({ reader }) =>
    reader.zoom(1),
  ),
  pdfCommand({ id: 'pdf.zoomOut', title: text.zoomOut, icon: ZoomOut, keys: ['-'] }, ({ reader }) =>
    reader.zoom(-1),
  ),
  pdfCommand({ id: 'pdf.fitWidth', title: text.fits['page-width'], keys: ['0'] }, ({ reader }) =>
    reader.scaleTo('page-width'),
  ),
  pdfCommand({ id: 'pdf.fitPage', title: text.fits['page-fit'], keys: ['9'] }, ({ reader }) =>
    reader.scaleTo('page-fit'),
  ),
  pdfCommand({ id: 'pdf.rotate', title: text.rotate, icon: RotateCw, keys: ['Shift+R'] }, ({ reader }) =>
    reader.rotate(1),
  ),
  pdfCommand({ id: 'pdf.layout', title: text.switchLayout, keys: ['Shift+L'] }, ({ reader, state }) =>
    setPdfPageLayout(reader, state.layout === 'single' ? 'continuous' : 'single'),
  ),
  pdfCommand({ id: 'pdf.nextPage', title: text.nextPage, keys: ['N'] }, ({ reader, state }) =>
    reader.goTo(state.page + 1),
  ),
  pdfCommand({ id: 'pdf.previousPage', title: text.previousPage, keys: ['Shift+N'] }, ({ reader, state }) =>
    reader.goTo(state.page - 1),
  ),
  pdfCommand({ id: 'pdf.side', title: text.sidePanel, keys: ['Shift+T'] }, ({ sidePanelOwner }) =>
    togglePdfSidePanel(sidePanelOwner, 'pages'),
  ),
];
