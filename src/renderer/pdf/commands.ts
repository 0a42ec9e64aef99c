import { Printer, RotateCw, Search, ZoomIn, ZoomOut } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { words } from '../words/words.ts';
import { openFinding } from './finding.ts';
import { type InFront, setLayout, useFront } from './front.ts';
import { toggleSide } from './side.ts';

const text = words.pdf;

type Own = Pick<Command, 'id' | 'title'> & Partial<Pick<Command, 'icon' | 'keys' | 'whileTyping'>>;

/** A command on the PDF that is open. */
function onFront(command: Own, run: (front: InFront) => void): Command {
  return {
    section: 'statements',
    screens: ['statements'],
    ...command,
    enabled: () => (useFront.getState().front ? true : text.noneOpen),
    run: () => {
      const { front } = useFront.getState();
      if (front) run(front);
    },
  };
}

export const pdfCommands: readonly Command[] = [
  onFront({ id: 'pdf.find', title: text.find, icon: Search, keys: ['Shift+F'] }, () => openFinding()),
  onFront({ id: 'pdf.findNext', title: text.findNext, keys: ['F3', 'Mod+G'], whileTyping: true }, (front) =>
    front.walk(false),
  ),
  onFront(
    {
      id: 'pdf.findPrevious',
      title: text.findPrevious,
      keys: ['Shift+F3', 'Mod+Shift+G'],
      whileTyping: true,
    },
    (front) => front.walk(true),
  ),
  onFront(
    { id: 'pdf.print', title: text.print, icon: Printer, keys: ['Mod+P'], whileTyping: true },
    (front) => front.print(),
  ),
  onFront({ id: 'pdf.save', title: text.save }, (front) => front.save()),
  onFront({ id: 'pdf.zoomIn', title: text.zoomIn, icon: ZoomIn, keys: ['+', '='] }, ({ reader }) =>
    reader.zoom(1),
  ),
  onFront({ id: 'pdf.zoomOut', title: text.zoomOut, icon: ZoomOut, keys: ['-'] }, ({ reader }) =>
    reader.zoom(-1),
  ),
  onFront({ id: 'pdf.fitWidth', title: text.fits['page-width'], keys: ['0'] }, ({ reader }) =>
    reader.scaleTo('page-width'),
  ),
  onFront({ id: 'pdf.fitPage', title: text.fits['page-fit'], keys: ['9'] }, ({ reader }) =>
    reader.scaleTo('page-fit'),
  ),
  onFront({ id: 'pdf.rotate', title: text.rotate, icon: RotateCw, keys: ['Shift+R'] }, ({ reader }) =>
    reader.rotate(1),
  ),
  onFront({ id: 'pdf.layout', title: text.otherLayout, keys: ['Shift+L'] }, ({ reader, state }) =>
    setLayout(reader, state.layout === 'single' ? 'continuous' : 'single'),
  ),
  onFront({ id: 'pdf.nextPage', title: text.nextPage, keys: ['N'] }, ({ reader, state }) =>
    reader.goTo(state.page + 1),
  ),
  onFront({ id: 'pdf.previousPage', title: text.previousPage, keys: ['Shift+N'] }, ({ reader, state }) =>
    reader.goTo(state.page - 1),
  ),
  onFront({ id: 'pdf.side', title: text.side, keys: ['Shift+T'] }, ({ sideOf }) =>
    toggleSide(sideOf, 'pages'),
  ),
];
