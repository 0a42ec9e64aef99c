import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { EventBus, PDFFindController, PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import { ShippedFiles } from './fonts.ts';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** What the toolbar shows. */
export interface ReaderState {
  readonly page: number;
  readonly pages: number;
  /** 1 is the size on paper. */
  readonly scale: number;
  /** Which match is in front, of how many; null while nothing is sought. */
  readonly match: { readonly at: number; readonly of: number } | null;
}

export interface Reader {
  goTo(page: number): void;
  zoom(by: 1 | -1): void;
  fitWidth(): void;
  find(text: string, how: 'new' | 'next' | 'previous'): void;
  close(): void;
}

const FIT_WIDTH = 'page-width';

/**
 * Opens a PDF in a container of the page, pages below one another. Nothing in the document is run, and its links lead
 * nowhere.
 * @throws where the bytes are no PDF that can be read.
 */
export async function openReader(
  bytes: Uint8Array<ArrayBuffer>,
  container: HTMLDivElement,
  show: (state: ReaderState) => void,
  signal: AbortSignal,
): Promise<Reader> {
  const loading = pdfjs.getDocument({
    // pdf.js takes the bytes away with it; the caller keeps its own.
    data: bytes.slice(),
    BinaryDataFactory: ShippedFiles,
    cMapPacked: true,
    useWasm: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  signal.addEventListener('abort', () => void loading.destroy(), { once: true });
  const document = await loading.promise;

  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  linkService.externalLinkEnabled = false;
  const findController = new PDFFindController({ eventBus, linkService });
  const viewer = new PDFViewer({
    container,
    eventBus,
    linkService,
    findController,
    annotationMode: pdfjs.AnnotationMode.ENABLE,
    enableSelectionRendering: false,
  });
  linkService.setViewer(viewer);

  let state: ReaderState = { page: 1, pages: document.numPages, scale: 1, match: null };
  let sought = '';
  const change = (part: Partial<ReaderState>) => {
    if (signal.aborted) return;
    state = { ...state, ...part };
    show(state);
  };
  const counted = ({ matchesCount }: { matchesCount: { current: number; total: number } }) => {
    if (sought !== '') change({ match: { at: matchesCount.current, of: matchesCount.total } });
  };
  eventBus.on('pagesinit', () => {
    if (!signal.aborted) viewer.currentScaleValue = FIT_WIDTH;
  });
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => change({ page: pageNumber }));
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => change({ scale }));
  eventBus.on('updatefindmatchescount', counted);
  eventBus.on('updatefindcontrolstate', counted);

  viewer.setDocument(document);
  linkService.setDocument(document);
  change({});

  const resized = new ResizeObserver(() => {
    if (viewer.currentScaleValue === FIT_WIDTH && viewer.pagesCount > 0) viewer.currentScaleValue = FIT_WIDTH;
  });
  resized.observe(container);

  return {
    goTo(page) {
      viewer.currentPageNumber = Math.max(1, Math.min(document.numPages, page));
    },
    zoom(by) {
      if (by > 0) viewer.increaseScale();
      else viewer.decreaseScale();
    },
    fitWidth() {
      viewer.currentScaleValue = FIT_WIDTH;
    },
    find(text, how) {
      sought = text;
      if (text === '') {
        eventBus.dispatch('findbarclose', { source: viewer });
        change({ match: null });
        return;
      }
      eventBus.dispatch('find', {
        source: viewer,
        type: how === 'new' ? '' : 'again',
        query: text,
        caseSensitive: false,
        entireWord: false,
        highlightAll: true,
        findPrevious: how === 'previous',
        matchDiacritics: false,
      });
    },
    close() {
      resized.disconnect();
      // Their types do not say so, but null is how a document is taken out again.
      const none = null as unknown as typeof document;
      findController.setDocument(none);
      viewer.setDocument(none);
      linkService.setDocument(none);
      void loading.destroy();
    },
  };
}
