import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { PdfMatch } from './document-search.ts';
import { PassageLine } from './passage-line.tsx';
import type { PdfReader, PdfReaderState } from './pdf-reader.ts';

/** Maximum number of matches in the list. The heading shows the total number. */
const MAX_LISTED_MATCHES = 200;

interface MatchListProps {
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  /** List of matches in other documents. */
  readonly otherDocumentMatches?: ReactNode;
}

/** Lists the search matches with the surrounding text. */
export function MatchList({ reader, state, otherDocumentMatches }: MatchListProps) {
  const { match } = state;
  const [hits, setHits] = useState<readonly PdfMatch[]>([]);
  const of = match?.of ?? 0;
  const isComplete = match?.isComplete ?? false;
  const sought = match?.queryKey ?? '';
  useEffect(() => {
    setHits([]);
    if (sought === '' || of === 0 || !isComplete) return;
    let ended = false;
    // If the document's text cannot be read, the list remains empty.
    const read = () => reader.listMatches(MAX_LISTED_MATCHES).catch(() => []);
    void read().then((found) => {
      if (!ended) setHits(found);
    });
    return () => {
      ended = true;
    };
  }, [reader, sought, of, isComplete]);
  if (!match) return <p className="pdf-side-note">{texts.pdf.noSearchText}</p>;
  return (
    <div className="pdf-hits">
      <h3>{texts.pdf.matchesInPdf(of)}</h3>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.page}-${hit.place}`}>
            <button
              type="button"
              aria-current={matchNumber(hits, hit) === match.at}
              onClick={() => reader.showMatch(hit)}
            >
              <PassageLine passage={hit.passage} />
            </button>
          </li>
        ))}
      </ul>
      {of > hits.length && hits.length === MAX_LISTED_MATCHES && (
        <p className="pdf-side-note">{texts.pdf.moreHits(of - hits.length)}</p>
      )}
      {otherDocumentMatches}
    </div>
  );
}

function matchNumber(hits: readonly PdfMatch[], hit: PdfMatch): number {
  return hits.indexOf(hit) + 1;
}
