import type { ReactNode } from 'react';
import { Tabs } from '../controls/tabs.tsx';
import { texts } from '../texts/texts.ts';
import { MatchList } from './match-list.tsx';
import { Outline } from './outline.tsx';
import type { PdfReader, PdfReaderState } from './pdf-reader.ts';
import { type SidePanelOwner, type SidePanelTab, showSidePanel } from './side-panel-state.ts';
import { Thumbnails } from './thumbnails.tsx';

interface SidePanelProps {
  readonly owner: SidePanelOwner;
  readonly side: SidePanelTab;
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  readonly otherDocumentMatches?: ReactNode;
}

/** Side panel of the PDF viewer that shows thumbnails, the outline, or search matches. */
export function SidePanel({ owner, side, reader, state, otherDocumentMatches }: SidePanelProps) {
  const { page, pages, rotation } = state;
  return (
    <div className="pdf-side">
      <Tabs<SidePanelTab>
        label={texts.pdf.sidePanel}
        chosen={side}
        onChoose={(chosen) => showSidePanel(owner, chosen)}
        tabs={[
          {
            id: 'pages',
            title: texts.pdf.thumbnails,
            body: () => (
              <Thumbnails
                document={reader.document}
                page={page}
                pages={pages}
                rotation={rotation}
                onGo={reader.goTo}
              />
            ),
          },
          { id: 'outline', title: texts.pdf.outline, body: () => <Outline reader={reader} /> },
          {
            id: 'hits',
            title: texts.pdf.matchList,
            body: () => (
              <MatchList reader={reader} state={state} otherDocumentMatches={otherDocumentMatches} />
            ),
          },
        ]}
      />
    </div>
  );
}
