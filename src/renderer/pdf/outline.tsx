import { useEffect, useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { PdfReader } from './pdf-reader.ts';
import { type OutlineEntry, readOutline } from './read-outline.ts';

/** Shows the outline of the document with links to its pages. */
export function Outline({ reader }: { readonly reader: PdfReader }) {
  const [titles, setTitles] = useState<readonly OutlineEntry[] | null>(null);
  useEffect(() => {
    let ended = false;
    void readOutline(reader.document).then((read) => {
      if (!ended) setTitles(read);
    });
    return () => {
      ended = true;
    };
  }, [reader]);
  if (titles === null) return null;
  if (titles.length === 0) return <p className="pdf-side-note">{texts.pdf.noOutline}</p>;
  return (
    <nav className="pdf-outline" aria-label={texts.pdf.outline}>
      <OutlineEntries titles={titles} reader={reader} />
    </nav>
  );
}

interface OutlineEntriesProps {
  readonly titles: readonly OutlineEntry[];
  readonly reader: PdfReader;
}

function OutlineEntries({ titles, reader }: OutlineEntriesProps) {
  return (
    <ul>
      {titles.map(({ title, destination, inner }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and the list never changes
        <li key={place}>
          {destination === null ? (
            <span>{title}</span>
          ) : (
            <button type="button" onClick={() => reader.goToDestination(destination)}>
              {title}
            </button>
          )}
          {inner.length > 0 && <OutlineEntries titles={inner} reader={reader} />}
        </li>
      ))}
    </ul>
  );
}
