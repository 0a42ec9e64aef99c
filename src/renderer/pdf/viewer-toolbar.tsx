import {
  ChevronDown,
  ChevronUp,
  Download,
  File,
  PanelLeft,
  Printer,
  RotateCcw,
  RotateCw,
  Rows2,
  Search,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { texts } from '../texts/texts.ts';
import { type ActivePdfViewer, setPdfPageLayout } from './active-viewer.ts';
import type { PdfPageFit, PdfPageLayout } from './pdf-reader.ts';
import { openPdfFindBar } from './pdf-search-state.ts';
import { type PdfSidePanelTab, showPdfSidePanel } from './side-panel-state.ts';

const text = texts.pdf;
const zoomLevels = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const fits: readonly PdfPageFit[] = ['page-width', 'page-fit'];
const layouts: readonly PdfPageLayout[] = ['continuous', 'single'];

interface ViewerToolbarProps {
  readonly viewer: ActivePdfViewer;
  readonly side: PdfSidePanelTab | null;
  readonly note: ReactNode;
}

export function PdfViewerToolbar({ viewer, side, note }: ViewerToolbarProps) {
  const { reader, state } = viewer;
  const { page, pages } = state;
  return (
    <div className="pdf-tools" role="toolbar" aria-label={text.toolbar}>
      <ToolbarIconButtons
        buttons={[
          {
            icon: PanelLeft,
            label: side ? text.hideSide : text.showSide,
            shortcuts: ['Shift+T'],
            isPressed: side !== null,
            onPress: () => showPdfSidePanel(viewer.sidePanelOwner, side ? null : 'pages'),
          },
        ]}
      />
      <span className="pdf-divider" />
      <ToolbarIconButtons
        buttons={[
          {
            icon: ChevronUp,
            label: text.previousPage,
            disabledReason: page <= 1 ? text.firstPage : null,
            onPress: () => reader.goTo(page - 1),
          },
          {
            icon: ChevronDown,
            label: text.nextPage,
            disabledReason: page >= pages ? text.lastPage : null,
            onPress: () => reader.goTo(page + 1),
          },
        ]}
      />
      <PageNumberField key={page} page={page} onGo={reader.goTo} />
      <span className="pdf-muted">{text.of(pages)}</span>
      <span className="pdf-divider" />
      <ToolbarIconButtons
        buttons={[{ icon: ZoomOut, label: text.zoomOut, shortcuts: ['-'], onPress: () => reader.zoom(-1) }]}
      />
      <ViewMenu front={viewer} />
      <ToolbarIconButtons
        buttons={[{ icon: ZoomIn, label: text.zoomIn, shortcuts: ['+'], onPress: () => reader.zoom(1) }]}
      />
      <span className="pdf-note">{note}</span>
      <ToolbarIconButtons
        buttons={[
          { icon: Search, label: text.find, shortcuts: ['Shift+F'], onPress: () => openPdfFindBar() },
          { icon: Printer, label: text.print, shortcuts: ['Mod+P'], onPress: viewer.print },
          { icon: Download, label: text.save, onPress: viewer.save },
        ]}
      />
    </div>
  );
}

/** Menu with the zoom, layout, and rotation options of the PDF viewer. */
function ViewMenu({ front: { reader, state } }: { readonly front: ActivePdfViewer }) {
  const percent = text.percent(Math.round(state.scale * 100));
  return (
    <Menu
      label={text.view}
      trigger={
        <Button kind="quiet" label={text.view}>
          <span className="visually-hidden">{text.view} </span>
          <span className="pdf-scale">{percent}</span>
        </Button>
      }
      groups={[
        {
          entries: fits.map((fit) => ({
            id: fit,
            label: text.fits[fit],
            isChecked: state.fit === fit,
            run: () => reader.scaleTo(fit),
          })),
        },
        {
          entries: zoomLevels.map((size) => ({
            id: String(size),
            label: text.percent(size * 100),
            isChecked: state.fit === null && state.scale === size,
            run: () => reader.scaleTo(size),
          })),
        },
        {
          entries: layouts.map((layout) => ({
            id: layout,
            icon: layout === 'single' ? File : Rows2,
            label: text.layouts[layout],
            isChecked: state.layout === layout,
            run: () => setPdfPageLayout(reader, layout),
          })),
        },
        {
          entries: [
            { id: 'right', icon: RotateCw, label: text.rotate, run: () => reader.rotate(1) },
            { id: 'left', icon: RotateCcw, label: text.rotateBack, run: () => reader.rotate(-1) },
          ],
        },
      ]}
    />
  );
}

function PageNumberField({ page, onGo }: { readonly page: number; readonly onGo: (page: number) => void }) {
  const [typed, setTyped] = useState(String(page));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (/^\d+$/.test(typed)) onGo(Number(typed));
        else setTyped(String(page));
      }}
    >
      <input
        className="pdf-page"
        aria-label={text.pages}
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(String(page))}
      />
    </form>
  );
}

/** Buttons that show only their icons. */
export function ToolbarIconButtons({ buttons }: { readonly buttons: readonly ButtonProps[] }) {
  return buttons.map((button) => <Button key={button.label} kind="quiet" {...button} />);
}
