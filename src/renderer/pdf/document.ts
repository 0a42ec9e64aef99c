import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { ShippedFiles } from './fonts.ts';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** The folder beside the page with what pdf.js reads by its name. */
export const BESIDE = new URL('pdf/', document.baseURI).href;

export type PdfDocument = pdfjs.PDFDocumentProxy;

/** Why a file cannot be shown. */
export type Unreadable = 'broken' | 'endless' | 'empty';

export class UnreadableError extends Error {
  readonly why: Unreadable;
  constructor(why: Unreadable) {
    super(why);
    this.why = why;
  }
}

/** What opens at all opens in a fraction of this; what does not would go on for ever. */
const LONGEST_MS = 30_000;
/** Pixels of a picture in a document; a larger one is left out. */
const LARGEST_PICTURE = 64_000_000;

interface Opening {
  /** Asks the person for the password; `wrong` where the last one was not it. */
  askPassword(wrong: boolean): Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Opens a PDF, in a worker of its own that ends with the signal. Nothing in it is carried out: no script, no form, and nothing is
 * fetched for it but the fonts and tables that the window ships.
 * @throws UnreadableError where there is nothing to show.
 */
export async function openDocument(
  bytes: Uint8Array<ArrayBuffer>,
  { askPassword, signal }: Opening,
): Promise<PdfDocument> {
  const loading = pdfjs.getDocument({
    // pdf.js takes the bytes away with it; the caller keeps its own.
    data: bytes.slice(),
    BinaryDataFactory: ShippedFiles,
    cMapPacked: true,
    // The decoders of old fax and JPEG 2000 pictures, read when a document has such.
    wasmUrl: BESIDE,
    useWasm: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: LARGEST_PICTURE,
    verbosity: 0,
  });
  const end = () => void loading.destroy();
  signal.addEventListener('abort', end, { once: true });
  const late = Promise.withResolvers<never>();
  const begin = () => setTimeout(() => late.reject(new UnreadableError('endless')), LONGEST_MS);
  let timer = begin();
  loading.onPassword = (answer: (password: string) => void, reason: number) => {
    clearTimeout(timer);
    void askPassword(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD).then((password) => {
      timer = begin();
      answer(password);
    });
  };
  try {
    const opened = await Promise.race([loading.promise, late.promise]);
    if (opened.numPages < 1) throw new UnreadableError('empty');
    // A document whose pages cannot even be told is found out here, and not as a white page.
    await Promise.race([opened.getPage(1), late.promise]);
    return opened;
  } catch (thrown) {
    end();
    throw thrown instanceof UnreadableError ? thrown : new UnreadableError('broken');
  } finally {
    clearTimeout(timer);
  }
}
