import type { PdfDocument } from './open-document.ts';

/** Entry in the outline of a PDF. */
export interface OutlineEntry {
  readonly title: string;
  /** Target in the document, or null if the entry has none. */
  readonly destination: string | unknown[] | null;
  readonly inner: readonly OutlineEntry[];
}

/** Limits for the outline, because a PDF may contain any number of entries at any depth. Chosen by judgment. */
const MAX_ENTRIES = 2_000;
const MAX_DEPTH = 8;
const MAX_TITLE_LENGTH = 300;

/** Reads the outline of a PDF. Returns an empty list if the PDF has no readable outline. */
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
