import { PAGE_BREAK } from '../../domain/text-search/index.ts';

/** Maximum number of pages from which text is extracted. Longer PDFs are not statements. */
const MAX_PAGES = 50;
/** Maximum number of characters stored per PDF. */
const MAX_CHARACTERS = 400_000;

/**
 * Returns the text of a PDF, line by line, with a marker before each page. Returns an empty string if the PDF has no
 * text, is unreadable or is too long. Nothing in the file is executed, and no external resources are loaded.
 */
export async function readPdfText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { getDocument } = await loadPdfLibrary();
  const loading = getDocument({
    data: bytes,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const document = await loading.promise;
    if (document.numPages > MAX_PAGES) return '';
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : ' ') : '')).join(''));
      page.cleanup();
    }
    if (pages.every((page) => page.trim() === '')) return '';
    const text = pages.map((page) => PAGE_BREAK + page.trim()).join('\n');
    return text.slice(0, MAX_CHARACTERS);
  } catch {
    return '';
  } finally {
    await loading.destroy();
  }
}

/** Loads pdf.js on first use, with its worker module, because the built app has no separate worker file. */
async function loadPdfLibrary() {
  const [pdf, worker] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
  ]);
  Object.assign(globalThis, { pdfjsWorker: worker });
  return pdf;
}
