import type { ReactNode } from 'react';
import { Tabs } from '../controls/tabs.tsx';
import { texts } from '../texts/texts.ts';
import { PdfOutline } from './outline.tsx';
import type { PdfReader, PdfReaderState } from './pdf-reader.ts';
import { PdfSearchMatchList } from './search-match-list.tsx';
import { type PdfSidePanelOwner, type PdfSidePanelTab, showPdfSidePanel } from './side-panel-state.ts';
import { PdfThumbnails } from './thumbnails.tsx';

interface SidePanelProps {
  readonly owner: PdfSidePanelOwner;
  readonly side: PdfSidePanelTab;
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  readonly otherDocumentMatches?: ReactNode;
}

/** Side panel of the PDF viewer that shows thumbnails, the outline, or search matches. */
export function PdfSidePanel({ owner, side, reader, state, otherDocumentMatches }: SidePanelProps) {
  const { page, pages, rotation } = state;
  return (
    <div className="pdf-side">
      <Tabs<PdfSidePanelTab>
        label={texts.pdf.sidePanel}
        chosen={side}
        onChoose={(chosen) => showPdfSidePanel(owner, chosen)}
        tabs={[
          {
            id: 'pages',
            title: texts.pdf.thumbnails,
            body: () => (
              <PdfThumbnails
                document={reader.document}
                page={page}
                pages={pages}
                rotation={rotation}
                onGo={reader.goTo}
              />
            ),
          },
          { id: 'outline', title: texts.pdf.outline, body: () => <PdfOutline reader={reader} /> },
          {
            id: 'hits',
            title: texts.pdf.matchList,
            body: () => (
              <PdfSearchMatchList reader={reader} state={state} otherDocumentMatches={otherDocumentMatches} />
            ),
          },
        ]}
      />
    </div>
  );
}
