import type { ReactNode } from 'react';
import { Tabs } from '../controls/pieces.tsx';
import { words } from '../words/words.ts';
import { Hits } from './hits.tsx';
import { Outline } from './outline.tsx';
import type { Reader, ReaderState } from './reader.ts';
import { type Side, type SideOf, showSide } from './side.ts';
import { Thumbnails } from './thumbnails.tsx';

interface SidePanelProps {
  readonly of: SideOf;
  readonly side: Side;
  readonly reader: Reader;
  readonly state: ReaderState;
  readonly beyond?: ReactNode;
}

/** Beside the pages: small pictures of them, the outline, or the places that say what is sought. */
export function SidePanel({ of, side, reader, state, beyond }: SidePanelProps) {
  const { page, pages, rotation } = state;
  return (
    <div className="pdf-side">
      <Tabs<Side>
        label={words.pdf.side}
        chosen={side}
        onChoose={(chosen) => showSide(of, chosen)}
        tabs={[
          {
            id: 'pages',
            title: words.pdf.thumbnails,
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
          { id: 'outline', title: words.pdf.outline, body: () => <Outline reader={reader} /> },
          {
            id: 'hits',
            title: words.pdf.hits,
            body: () => <Hits reader={reader} state={state} beyond={beyond} />,
          },
        ]}
      />
    </div>
  );
}
