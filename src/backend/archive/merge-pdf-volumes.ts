import { readFile } from 'node:fs/promises';
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib';
import type { ArchiveExportItem } from '../store/archive/archive-export.ts';
import { getPdfPath } from './pdf-files.ts';

/** Maximum number of statements per volume. Limited because a volume is assembled in memory. */
const STATEMENTS_PER_VOLUME = 500;

/** PDF that contains several statements. */
export interface MergedPdfVolume {
  /** Path below `data/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

interface Bookmark {
  readonly customer: string;
  readonly title: string;
  readonly page: PDFRef;
}

/**
 * Merges the statements' PDFs into volumes, in the order of the index, with an outline of customers and statements. The
 * bag also contains each PDF as its own file. Volumes leave out PDFs that cannot be merged because they are encrypted
 * or broken. @param at date of the volumes in UTC milliseconds, the same if the export is repeated
 */
export async function* mergePdfVolumes(
  folder: string,
  items: Iterable<ArchiveExportItem>,
  at: number,
  signal: AbortSignal,
): AsyncGenerator<MergedPdfVolume, void, undefined> {
  const pdf = await import('@cantoo/pdf-lib');
  let number = 0;
  let volume: PDFDocument | null = null;
  let bookmarks: Bookmark[] = [];
  let statementCount = 0;

  const finishVolume = async (completed: PDFDocument): Promise<MergedPdfVolume> => {
    addOutline(pdf, completed, bookmarks);
    bookmarks = [];
    statementCount = 0;
    volume = null;
    number++;
    const bytes = await completed.save({ addDefaultPage: false });
    return { path: `volumes/statements-${String(number).padStart(4, '0')}.pdf`, bytes };
  };

  for (const item of items) {
    signal.throwIfAborted();
    if (item.sha256 === null) continue;
    const original = await loadPdf(pdf, getPdfPath(folder, item.sha256));
    if (original === null) continue;
    volume ??= await createVolume(pdf, at);
    const into: PDFDocument = volume;
    const pages = await into.copyPages(original, original.getPageIndices());
    for (const page of pages) into.addPage(page);
    const [first] = pages;
    if (first !== undefined) bookmarks.push({ ...toBookmarkTitles(item), page: first.ref });
    if (++statementCount === STATEMENTS_PER_VOLUME) yield await finishVolume(into);
  }
  if (volume !== null) yield await finishVolume(volume);
}

type PdfLibrary = typeof import('@cantoo/pdf-lib');

async function createVolume({ PDFDocument }: PdfLibrary, at: number): Promise<PDFDocument> {
  const volume = await PDFDocument.create({ updateMetadata: false });
  volume.setTitle('Statements');
  volume.setProducer('Tieout');
  volume.setCreationDate(new Date(at));
  volume.setModificationDate(new Date(at));
  return volume;
}

/** Loads a PDF. Returns null if it cannot be merged. */
async function loadPdf({ PDFDocument }: PdfLibrary, path: string): Promise<PDFDocument | null> {
  try {
    return await PDFDocument.load(await readFile(path), { updateMetadata: false });
  } catch {
    return null;
  }
}

function toBookmarkTitles({ facts }: ArchiveExportItem): Pick<Bookmark, 'customer' | 'title'> {
  const { customer, statement, closed_at } = JSON.parse(facts) as {
    customer: string;
    statement: number;
    closed_at: string | null;
  };
  const day = closed_at === null ? 'open' : closed_at.slice(0, 10);
  return { customer: customer.trim() || 'Unnamed', title: `${day} · statement ${statement}` };
}

/** Adds the outline (PDF 1.7, section 12.3.3): customers sorted by name, each with their statements in order. */
function addOutline(
  { PDFHexString, PDFName, PDFNumber }: PdfLibrary,
  volume: PDFDocument,
  bookmarks: readonly Bookmark[],
) {
  if (bookmarks.length === 0) return;
  const { context } = volume;
  const byCustomer = Map.groupBy(bookmarks, ({ customer }) => customer);
  const customers = [...byCustomer].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const root = context.nextRef();
  const refs = customers.map(([, own]) => ({
    ref: context.nextRef(),
    own: own.map(() => context.nextRef()),
  }));

  const createItem = (
    { title, page }: Pick<Bookmark, 'title' | 'page'>,
    parent: PDFRef,
    siblings: readonly PDFRef[],
    at: number,
  ) => {
    const dictionary = context.obj({});
    dictionary.set(PDFName.of('Title'), PDFHexString.fromText(title));
    dictionary.set(PDFName.of('Parent'), parent);
    dictionary.set(PDFName.of('Dest'), context.obj([page, PDFName.of('Fit')]));
    const [before, after] = [siblings[at - 1], siblings[at + 1]];
    if (before !== undefined) dictionary.set(PDFName.of('Prev'), before);
    if (after !== undefined) dictionary.set(PDFName.of('Next'), after);
    return dictionary;
  };

  const tops = refs.map(({ ref }) => ref);
  for (const [at, [customer, own]] of customers.entries()) {
    const { ref, own: below } = refs[at] as (typeof refs)[number];
    const top = createItem({ title: customer, page: (own[0] as Bookmark).page }, root, tops, at);
    top.set(PDFName.of('First'), below[0] as PDFRef);
    top.set(PDFName.of('Last'), below.at(-1) as PDFRef);
    // A negative count marks the entry as collapsed.
    top.set(PDFName.of('Count'), PDFNumber.of(-below.length));
    context.assign(ref, top);
    for (const [index, bookmark] of own.entries())
      context.assign(below[index] as PDFRef, createItem(bookmark, ref, below, index));
  }
  const outlines = context.obj({ Type: 'Outlines', Count: tops.length });
  outlines.set(PDFName.of('First'), tops[0] as PDFRef);
  outlines.set(PDFName.of('Last'), tops.at(-1) as PDFRef);
  context.assign(root, outlines);
  volume.catalog.set(PDFName.of('Outlines'), root);
}
