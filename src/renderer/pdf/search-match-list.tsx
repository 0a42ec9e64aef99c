import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { PdfSearchMatch } from './document-search.ts';
import type { PdfReader, PdfReaderState } from './pdf-reader.ts';
import { SearchPassageLine } from './search-passage-line.tsx';

/** Maximum number of matches listed, chosen by judgment. The heading shows the total number. */
const MAX_LISTED_MATCHES = 200;

interface MatchListProps {
  readonly reader: PdfReader;
  readonly state: PdfReaderState;
  /** Rendered list of the search matches in other documents. */
  readonly otherDocumentMatches?: ReactNode;
}

/** Lists the search matches with the surrounding text. */
export function PdfSearchMatchList({ reader, state, otherDocumentMatches }: MatchListProps) {
  const { match } = state;
  const [matches, setMatches] = useState<readonly PdfSearchMatch[]>([]);
  const of = match?.of ?? 0;
  const isComplete = match?.isComplete ?? false;
  const queryKey = match?.queryKey ?? '';
  useEffect(() => {
    setMatches([]);
    if (queryKey === '' || of === 0 || !isComplete) return;
    let ended = false;
    // If the document's text cannot be read, the list of matches remains empty.
    const read = () => reader.listMatches(MAX_LISTED_MATCHES).catch(() => []);
    void read().then((found) => {
      if (!ended) setMatches(found);
    });
    return () => {
      ended = true;
    };
  }, [reader, queryKey, of, isComplete]);
  if (!match) return <p className="pdf-side-note">{texts.pdf.noSearchText}</p>;
  return (
    <div className="pdf-hits">
      <h3>{texts.pdf.matchesInPdf(of)}</h3>
      <ul>
        {matches.map((each, index) => (
          <li key={`${each.page}-${each.indexOnPage}`}>
            <button
              type="button"
              aria-current={index + 1 === match.at}
              onClick={() => reader.showMatch(each)}
            >
              <SearchPassageLine passage={each.passage} />
            </button>
          </li>
        ))}
      </ul>
      {of > matches.length && matches.length === MAX_LISTED_MATCHES && (
        <p className="pdf-side-note">{texts.pdf.moreHits(of - matches.length)}</p>
      )}
      {otherDocumentMatches}
    </div>
  );
}
