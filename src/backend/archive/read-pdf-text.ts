import { PAGE_BREAK } from '../../domain/text-search/index.ts';

/** Maximum number of pages. A longer PDF is no statement, and its text is not extracted. */
const MOST_PAGES = 50;
/** Maximum number of characters stored per document. */
const MOST_SIGNS = 400_000;

/**
 * Returns the text of a PDF line by line, with a mark before each page. Returns '' if it has none, cannot be read or is
 * too long. Nothing in the file is executed, and nothing is loaded for it.
 */
export async function readPdfText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { getDocument } = await library();
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
    if (document.numPages > MOST_PAGES) return '';
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : ' ') : '')).join(''));
      page.cleanup();
    }
    const some = pages.some((page) => page.trim() !== '');
    return some
      ? pages
          .map((page) => PAGE_BREAK + page.trim())
          .join('\n')
          .slice(0, MOST_SIGNS)
      : '';
  } catch {
    return '';
  } finally {
    await loading.destroy();
  }
}

/**
 * Loads pdf.js with the first PDF. Its worker half is passed in, because the built app has no file to start a worker
 * from.
 */
async function library() {
  const [pdf, worker] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
  ]);
  Object.assign(globalThis, { pdfjsWorker: worker });
  return pdf;
}
