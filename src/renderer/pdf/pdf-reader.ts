import { AnnotationMode } from 'pdfjs-dist';
import {
  EventBus,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
  ScrollMode,
} from 'pdfjs-dist/web/pdf_viewer.mjs';
import { type CurrentPdfMatch, createPdfDocumentSearch, type PdfDocumentSearch } from './document-search.ts';
import { PDF_ASSETS_URL, type PdfDocument } from './open-pdf-document.ts';

export type PdfPageFit = 'page-width' | 'page-fit';
export type PdfPageLayout = 'continuous' | 'single';

/** Reading position in a document. It is stored for each file. */
export interface PdfPosition {
  readonly page: number;
  readonly scale: number | PdfPageFit;
  readonly rotation: number;
}

/** State of an open PDF that the toolbar shows. */
export interface PdfReaderState {
  readonly page: number;
  readonly pages: number;
  /** Zoom factor, where 1 shows the page at its paper size. */
  readonly scale: number;
  /** Automatic zoom mode, or null if the user has set a zoom factor. */
  readonly fit: PdfPageFit | null;
  /** Rotation in degrees clockwise. */
  readonly rotation: number;
  readonly layout: PdfPageLayout;
  /** Current search match, or null while no search is active. */
  readonly match: CurrentPdfMatch | null;
}

/** PDF that is open in its container element. */
export interface PdfReader extends PdfDocumentSearch {
  readonly document: PdfDocument;
  goTo(page: number): void;
  /** Goes to a destination given in the document's outline. */
  goToDestination(destination: string | unknown[]): void;
  zoom(by: 1 | -1): void;
  scaleTo(scale: number | PdfPageFit): void;
  /** Rotates the pages by 90° clockwise (1) or counterclockwise (-1). */
  rotate(by: 1 | -1): void;
  setLayout(layout: PdfPageLayout): void;
  /** Returns the current reading position in the document. */
  position(): PdfPosition;
  /** Returns the current search match, or null if no search is active. `PdfReaderState` is updated later. */
  match(): CurrentPdfMatch | null;
  close(): void;
}

/** Maximum number of pages in the continuous layout. pdf.js shows longer documents one page at a time. */
const MAX_CONTINUOUS_PAGES = 10_000;
/** Delay between the last key press and the search, in milliseconds. Chosen by judgment. */
const FIND_DEBOUNCE_MS = 120;

interface ShowDocumentOptions {
  readonly container: HTMLDivElement;
  readonly position: PdfPosition | null;
  readonly layout: PdfPageLayout;
  /** Called after each change of the reader's state. */
  onState(state: PdfReaderState): void;
}

const scrollModeOf = (layout: PdfPageLayout) => (layout === 'single' ? ScrollMode.PAGE : ScrollMode.VERTICAL);

/** Creates the pdf.js components. External links are disabled, and forms are rendered as images. */
function createViewer(container: HTMLDivElement) {
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  linkService.externalLinkEnabled = false;
  const controller = new PDFFindController({ eventBus, linkService, delay: FIND_DEBOUNCE_MS });
  const viewer = new PDFViewer({
    container,
    eventBus,
    linkService,
    findController: controller,
    annotationMode: AnnotationMode.ENABLE,
    imageResourcesPath: PDF_ASSETS_URL,
    enableAutoLinking: false,
    enableSelectionRendering: false,
  });
  linkService.setViewer(viewer);
  return { eventBus, linkService, controller, viewer };
}

function currentFit(viewer: PDFViewer): PdfPageFit | null {
  const { currentScaleValue } = viewer;
  return currentScaleValue === 'page-width' || currentScaleValue === 'page-fit' ? currentScaleValue : null;
}

/** Shows a PDF in a container element. Resolves when the pages have been laid out. */
export async function showPdfDocument(
  document: PdfDocument,
  { container, position, layout, onState }: ShowDocumentOptions,
): Promise<PdfReader> {
  const { eventBus, linkService, controller, viewer } = createViewer(container);
  let isClosed = false;
  let state: PdfReaderState = {
    page: 1,
    pages: document.numPages,
    scale: 1,
    fit: 'page-width',
    rotation: 0,
    layout: document.numPages > MAX_CONTINUOUS_PAGES ? 'single' : layout,
    match: null,
  };
  const update = (part: Partial<PdfReaderState>) => {
    if (isClosed) return;
    state = { ...state, ...part };
    onState(state);
  };

  const laidOut = Promise.withResolvers<void>();
  eventBus.on('pagesinit', () => {
    viewer.scrollMode = scrollModeOf(state.layout);
    if (position) viewer.pagesRotation = position.rotation;
    viewer.currentScaleValue = String(position?.scale ?? 'page-width');
    if (position) viewer.currentPageNumber = Math.min(position.page, document.numPages);
    laidOut.resolve();
  });
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => update({ page: pageNumber }));
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => update({ scale, fit: currentFit(viewer) }));
  eventBus.on('rotationchanging', ({ pagesRotation }: { pagesRotation: number }) =>
    update({ rotation: pagesRotation }),
  );
  const search = createPdfDocumentSearch({
    ...{ document, viewer, controller, eventBus },
    onMatch: (match) => update({ match }),
  });

  viewer.setDocument(document);
  linkService.setDocument(document);
  await laidOut.promise;
  update({});

  const resizeObserver = new ResizeObserver(() => {
    const fit = currentFit(viewer);
    if (fit !== null && viewer.pagesCount > 0) viewer.currentScaleValue = fit;
  });
  resizeObserver.observe(container);

  return {
    ...search,
    ...createNavigation(document, viewer, linkService),
    document,
    setLayout(chosen) {
      if (document.numPages > MAX_CONTINUOUS_PAGES) return;
      viewer.scrollMode = scrollModeOf(chosen);
      update({ layout: chosen });
    },
    match: () => state.match,
    position: () => ({ page: state.page, scale: state.fit ?? state.scale, rotation: state.rotation }),
    close() {
      isClosed = true;
      resizeObserver.disconnect();
      // Passes null to remove the document, although the types of pdf.js do not allow null.
      const none = null as unknown as PdfDocument;
      for (const component of [controller, viewer, linkService]) component.setDocument(none);
    },
  };
}

type Navigation = Pick<PdfReader, 'goTo' | 'goToDestination' | 'zoom' | 'scaleTo' | 'rotate'>;

function createNavigation(document: PdfDocument, viewer: PDFViewer, links: PDFLinkService): Navigation {
  return {
    goTo(page) {
      viewer.currentPageNumber = Math.max(1, Math.min(document.numPages, page));
    },
    goToDestination(destination) {
      // Ignores links to destinations that do not exist.
      links.goToDestination(destination).catch(() => undefined);
    },
    zoom(by) {
      if (by > 0) viewer.increaseScale();
      else viewer.decreaseScale();
    },
    scaleTo(scale) {
      viewer.currentScaleValue = String(scale);
    },
    rotate(by) {
      viewer.pagesRotation = (viewer.pagesRotation + by * 90 + 360) % 360;
    },
  };
}
