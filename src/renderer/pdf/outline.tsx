import { useEffect, useState } from 'react';
import { words } from '../words/words.ts';
import { type OutlineTitle, outlineOf } from './outline.ts';
import type { Reader } from './reader.ts';

/** The document's own outline: a press leads to its place. */
export function Outline({ reader }: { readonly reader: Reader }) {
  const [titles, setTitles] = useState<readonly OutlineTitle[] | null>(null);
  useEffect(() => {
    let ended = false;
    void outlineOf(reader.document).then((read) => {
      if (!ended) setTitles(read);
    });
    return () => {
      ended = true;
    };
  }, [reader]);
  if (titles === null) return null;
  if (titles.length === 0) return <p className="pdf-side-note">{words.pdf.noOutline}</p>;
  return (
    <nav className="pdf-outline" aria-label={words.pdf.outline}>
      <Titles titles={titles} reader={reader} />
    </nav>
  );
}

interface TitlesProps {
  readonly titles: readonly OutlineTitle[];
  readonly reader: Reader;
}

function Titles({ titles, reader }: TitlesProps) {
  return (
    <ul>
      {titles.map(({ title, destination, inner }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list never changes
        <li key={place}>
          {destination === null ? (
            <span>{title}</span>
          ) : (
            <button type="button" onClick={() => reader.goToDestination(destination)}>
              {title}
            </button>
          )}
          {inner.length > 0 && <Titles titles={inner} reader={reader} />}
        </li>
      ))}
    </ul>
  );
}
