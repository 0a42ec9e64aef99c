import { type ReactNode, useEffect, useState } from 'react';
import { words } from '../words/words.ts';
import type { Hit } from './finder.ts';
import { PassageLine } from './passage-line.tsx';
import type { Reader, ReaderState } from './reader.ts';

/** So many places are listed; the count says how many there are. */
const MOST = 200;

interface HitsProps {
  readonly reader: Reader;
  readonly state: ReaderState;
  /** The other documents that say it. */
  readonly beyond?: ReactNode;
}

/** Every place that says what is sought, with the words around it. */
export function Hits({ reader, state, beyond }: HitsProps) {
  const { match } = state;
  const [hits, setHits] = useState<readonly Hit[]>([]);
  const of = match?.of ?? 0;
  const whole = match?.whole ?? false;
  const sought = match?.sought ?? '';
  useEffect(() => {
    setHits([]);
    if (sought === '' || of === 0 || !whole) return;
    let ended = false;
    // Without its words a place is of no use here; the document goes on being read.
    const read = () => reader.hits(MOST).catch(() => []);
    void read().then((found) => {
      if (!ended) setHits(found);
    });
    return () => {
      ended = true;
    };
  }, [reader, sought, of, whole]);
  if (!match) return <p className="pdf-side-note">{words.pdf.nothingSought}</p>;
  return (
    <div className="pdf-hits">
      <h3>{words.pdf.inThis(of)}</h3>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.page}-${hit.place}`}>
            <button
              type="button"
              aria-current={placeOf(hits, hit) === match.at}
              onClick={() => reader.show(hit)}
            >
              <PassageLine passage={hit.passage} />
            </button>
          </li>
        ))}
      </ul>
      {of > hits.length && hits.length === MOST && (
        <p className="pdf-side-note">{words.pdf.moreHits(of - hits.length)}</p>
      )}
      {beyond}
    </div>
  );
}

function placeOf(hits: readonly Hit[], hit: Hit): number {
  return hits.indexOf(hit) + 1;
}
