import type { PdfDocument } from './document.ts';

/** A title of the outline that a document brings. */
export interface OutlineTitle {
  readonly title: string;
  /** Null where it leads out of the document, or nowhere. */
  readonly destination: string | unknown[] | null;
  readonly inner: readonly OutlineTitle[];
}

/** A document may bring any number of titles, at any depth. */
const MOST = 2_000;
const DEEPEST = 8;
const LONGEST = 300;

/** The outline of a document; empty where it has none that can be read. */
export async function outlineOf(document: PdfDocument): Promise<readonly OutlineTitle[]> {
  const brought = await document.getOutline().catch(() => null);
  let left = MOST;
  const read = (titles: NonNullable<typeof brought>, depth: number): OutlineTitle[] => {
    if (depth > DEEPEST) return [];
    return titles.slice(0, left).map(({ title, dest, items }) => {
      left -= 1;
      return { title: title.slice(0, LONGEST), destination: dest, inner: read(items, depth + 1) };
    });
  };
  return read(brought ?? [], 1);
}
