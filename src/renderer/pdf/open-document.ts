import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { BundledPdfFiles } from './bundled-files.ts';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** URL of the folder with the files that pdf.js loads by name. */
export const PDF_ASSETS_URL = new URL('pdf/', document.baseURI).href;

export type PdfDocument = pdfjs.PDFDocumentProxy;

/** Reason why a file cannot be shown. `endless` means that opening it did not finish in time. */
export type UnreadableReason = 'broken' | 'endless' | 'empty';

export class UnreadablePdfError extends Error {
  readonly reason: UnreadableReason;
  constructor(why: UnreadableReason) {
    super(why);
    this.reason = why;
  }
}

/** Time limit for opening a file. Readable files open in a fraction of it; others would never finish. */
const OPEN_TIMEOUT_MS = 30_000;
/** Maximum size of an image in pixels. Larger images are left out. */
const MAX_IMAGE_PIXELS = 64_000_000;

interface OpenDocumentOptions {
  /** Asks the user for the password. `wrong` is true if the previous one was wrong. */
  askPassword(wrong: boolean): Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Opens a PDF in its own worker, which ends with the signal. Scripts and forms of the PDF are not executed. Nothing is fetched except
 * bundled fonts and character maps.
 * @throws UnreadablePdfError if there is nothing to show.
 */
export async function openPdfDocument(
  bytes: Uint8Array<ArrayBuffer>,
  { askPassword, signal }: OpenDocumentOptions,
): Promise<PdfDocument> {
  const loading = pdfjs.getDocument({
    // pdf.js transfers the bytes to its worker, so it gets a copy.
    data: bytes.slice(),
    BinaryDataFactory: BundledPdfFiles,
    cMapPacked: true,
    // Decoders of fax and JPEG 2000 images, loaded when a document needs them.
    wasmUrl: PDF_ASSETS_URL,
    useWasm: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: 0,
  });
  const destroy = () => void loading.destroy();
  signal.addEventListener('abort', destroy, { once: true });
  const timeout = Promise.withResolvers<never>();
  const startTimer = () =>
    setTimeout(() => timeout.reject(new UnreadablePdfError('endless')), OPEN_TIMEOUT_MS);
  let timer = startTimer();
  loading.onPassword = (answer: (password: string) => void, reason: number) => {
    clearTimeout(timer);
    void askPassword(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD).then((password) => {
      timer = startTimer();
      answer(password);
    });
  };
  try {
    const opened = await Promise.race([loading.promise, timeout.promise]);
    if (opened.numPages < 1) throw new UnreadablePdfError('empty');
    // Detects here a document whose pages cannot be read, which would otherwise show as a blank page.
    await Promise.race([opened.getPage(1), timeout.promise]);
    return opened;
  } catch (thrown) {
    destroy();
    throw thrown instanceof UnreadablePdfError ? thrown : new UnreadablePdfError('broken');
  } finally {
    clearTimeout(timer);
  }
}
