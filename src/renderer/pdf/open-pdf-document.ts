import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { BundledPdfFiles } from './bundled-pdf-files.ts';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** URL of the folder from which pdf.js loads files by name. */
export const PDF_ASSETS_URL = new URL('pdf/', document.baseURI).href;

export type PdfDocument = pdfjs.PDFDocumentProxy;

/** Reason why a PDF cannot be shown. `endless` means that opening it exceeded the time limit. */
export type UnreadablePdfReason = 'broken' | 'endless' | 'empty';

export class UnreadablePdfError extends Error {
  readonly reason: UnreadablePdfReason;
  constructor(why: UnreadablePdfReason) {
    super(why);
    this.reason = why;
  }
}

/** Time limit for opening a PDF. Readable files open in a fraction of this time; other files would never finish. */
const OPEN_TIMEOUT_MS = 30_000;
/** Maximum size of an image in pixels, chosen by judgment. Larger images are not rendered. */
const MAX_IMAGE_PIXELS = 64_000_000;

interface OpenDocumentOptions {
  /** Prompts the user for the password. `wrong` is true if the previous password was wrong. */
  askPassword(wrong: boolean): Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Opens a PDF in a separate worker, which terminates when the signal is aborted. Does not execute scripts and forms.
 * @throws UnreadablePdfError if the PDF cannot be shown.
 */
export async function openPdfDocument(
  bytes: Uint8Array<ArrayBuffer>,
  { askPassword, signal }: OpenDocumentOptions,
): Promise<PdfDocument> {
  const loading = pdfjs.getDocument({
    // Passes a copy of the bytes, because pdf.js transfers them to its worker.
    data: bytes.slice(),
    BinaryDataFactory: BundledPdfFiles,
    cMapPacked: true,
    // Location of the decoders for fax and JPEG 2000 images. They are loaded when a document needs them.
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
    // Reads the first page, so that a document with unreadable pages causes an error instead of a blank page.
    await Promise.race([opened.getPage(1), timeout.promise]);
    return opened;
  } catch (thrown) {
    destroy();
    throw thrown instanceof UnreadablePdfError ? thrown : new UnreadablePdfError('broken');
  } finally {
    clearTimeout(timer);
  }
}
