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
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { words } from '../words/words.ts';
import { openFinding } from './finding.ts';
import { type InFront, setLayout } from './front.ts';
import type { Fit, Layout } from './reader.ts';
import { type Side, showSide } from './side.ts';

const text = words.pdf;
const sizes = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const fits: readonly Fit[] = ['page-width', 'page-fit'];
const layouts: readonly Layout[] = ['continuous', 'single'];

interface ToolsProps {
  readonly front: InFront;
  readonly side: Side | null;
  readonly note: ReactNode;
}

/** The viewer's own tools. */
export function Tools({ front, side, note }: ToolsProps) {
  const { reader, state } = front;
  const { page, pages } = state;
  return (
    <div className="pdf-tools" role="toolbar" aria-label={text.toolbar}>
      <Button
        kind="quiet"
        icon={PanelLeft}
        label={side ? text.hideSide : text.showSide}
        keys={['Shift+T']}
        pressed={side !== null}
        onPress={() => showSide(front.sideOf, side ? null : 'pages')}
      />
      <span className="pdf-gap" />
      <Button
        kind="quiet"
        icon={ChevronUp}
        label={text.previousPage}
        reason={page <= 1 ? text.firstPage : null}
        onPress={() => reader.goTo(page - 1)}
      />
      <Button
        kind="quiet"
        icon={ChevronDown}
        label={text.nextPage}
        reason={page >= pages ? text.lastPage : null}
        onPress={() => reader.goTo(page + 1)}
      />
      <PageField key={page} page={page} onGo={reader.goTo} />
      <span className="pdf-quiet">{text.of(pages)}</span>
      <span className="pdf-gap" />
      <Button kind="quiet" icon={ZoomOut} label={text.zoomOut} keys={['-']} onPress={() => reader.zoom(-1)} />
      <ViewMenu front={front} />
      <Button kind="quiet" icon={ZoomIn} label={text.zoomIn} keys={['+']} onPress={() => reader.zoom(1)} />
      <span className="pdf-note">{note}</span>
      <Button kind="quiet" icon={Search} label={text.find} keys={['Shift+F']} onPress={() => openFinding()} />
      <Button kind="quiet" icon={Printer} label={text.print} keys={['Mod+P']} onPress={front.print} />
      <Button kind="quiet" icon={Download} label={text.save} onPress={front.save} />
    </div>
  );
}

/** Size, turn and layout. */
function ViewMenu({ front: { reader, state } }: { readonly front: InFront }) {
  const percent = text.percent(Math.round(state.scale * 100));
  return (
    <Menu
      label={text.view}
      trigger={
        <Button kind="quiet" label={text.view}>
          <span className="unseen">{text.view} </span>
          <span className="pdf-scale">{percent}</span>
        </Button>
      }
      groups={[
        {
          entries: fits.map((fit) => ({
            id: fit,
            label: text.fits[fit],
            checked: state.fit === fit,
            run: () => reader.scaleTo(fit),
          })),
        },
        {
          entries: sizes.map((size) => ({
            id: String(size),
            label: text.percent(size * 100),
            checked: state.fit === null && state.scale === size,
            run: () => reader.scaleTo(size),
          })),
        },
        {
          entries: layouts.map((layout) => ({
            id: layout,
            icon: layout === 'single' ? File : Rows2,
            label: text.layouts[layout],
            checked: state.layout === layout,
            run: () => setLayout(reader, layout),
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

function PageField({ page, onGo }: { readonly page: number; readonly onGo: (page: number) => void }) {
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
