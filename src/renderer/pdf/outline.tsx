import { useEffect, useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { PdfDocument } from './open-pdf-document.ts';
import type { PdfReader } from './pdf-reader.ts';

/** Shows the outline of the document with links to its pages. */
export function PdfOutline({ reader }: { readonly reader: PdfReader }) {
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
      {titles.map(({ title, destination, inner }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and the list never changes
        <li key={index}>
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

interface OutlineEntry {
  readonly title: string;
  /** Location in the document that the entry links to, or null if the entry is not a link. */
  readonly destination: string | unknown[] | null;
  readonly inner: readonly OutlineEntry[];
}

/** Limits for the outline, because a PDF may contain any number of entries at any depth. Chosen by judgment. */
const MAX_ENTRIES = 2_000;
const MAX_DEPTH = 8;
const MAX_TITLE_LENGTH = 300;

/** Reads the outline of a PDF. Returns an empty list if the PDF has no readable outline. */
async function readOutline(document: PdfDocument): Promise<readonly OutlineEntry[]> {
  const outline = await document.getOutline().catch(() => null);
  let remaining = MAX_ENTRIES;
  const read = (titles: NonNullable<typeof outline>, depth: number): OutlineEntry[] => {
    if (depth > MAX_DEPTH) return [];
    return titles.slice(0, remaining).map(({ title, dest, items }) => {
      remaining -= 1;
      return { title: title.slice(0, MAX_TITLE_LENGTH), destination: dest, inner: read(items, depth + 1) };
    });
  };
  return read(outline ?? [], 1);
}
