import { PAGE_MARK } from '../../domain/documents/index.ts';

/** A PDF longer than this is no statement; its words are not drawn. */
const MOST_PAGES = 50;
/** Signs of a document that are kept. */
const MOST_SIGNS = 400_000;

/**
 * The words of a PDF as they stand on its pages, a line of the page a line of text, a mark before each page; '' where it has none,
 * cannot be read, or is longer than a statement is. Nothing in it is carried out, and nothing is fetched for it.
 */
export async function readWords(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
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
          .map((page) => PAGE_MARK + page.trim())
          .join('\n')
          .slice(0, MOST_SIGNS)
      : '';
  } catch {
    return '';
  } finally {
    await loading.destroy();
  }
}

/** Loaded with the first PDF; its other half is given to it, as there is no file to start a worker from once it is built. */
async function library() {
  const [pdf, worker] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
  ]);
  Object.assign(globalThis, { pdfjsWorker: worker });
  return pdf;
}
