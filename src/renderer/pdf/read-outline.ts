import type { PdfDocument } from './open-document.ts';

/** Entry of a document's outline. */
export interface OutlineEntry {
  readonly title: string;
  /** Null if the entry has no target in the document. */
  readonly destination: string | unknown[] | null;
  readonly inner: readonly OutlineEntry[];
}

/** Limits, because a document may contain any number of entries at any depth. Chosen by judgment. */
const MAX_ENTRIES = 2_000;
const MAX_DEPTH = 8;
const MAX_TITLE_LENGTH = 300;

/** Reads the outline of a document; empty if it has none that can be read. */
export async function readOutline(document: PdfDocument): Promise<readonly OutlineEntry[]> {
  const outline = await document.getOutline().catch(() => null);
  let left = MAX_ENTRIES;
  const read = (titles: NonNullable<typeof outline>, depth: number): OutlineEntry[] => {
    if (depth > MAX_DEPTH) return [];
    return titles.slice(0, left).map(({ title, dest, items }) => {
      left -= 1;
      return { title: title.slice(0, MAX_TITLE_LENGTH), destination: dest, inner: read(items, depth + 1) };
    });
  };
  return read(outline ?? [], 1);
}
