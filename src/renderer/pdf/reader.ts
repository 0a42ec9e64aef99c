import { AnnotationMode } from 'pdfjs-dist';
import {
  EventBus,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
  ScrollMode,
} from 'pdfjs-dist/web/pdf_viewer.mjs';
import { BESIDE, type PdfDocument } from './document.ts';
import { type Finder, finderOf, type Match } from './finder.ts';

export type Fit = 'page-width' | 'page-fit';
export type Layout = 'continuous' | 'single';

/** Where in a document the reader stands: kept for each file. */
export interface Place {
  readonly page: number;
  readonly scale: number | Fit;
  readonly rotation: number;
}

/** What the viewer's tools show. */
export interface ReaderState {
  readonly page: number;
  readonly pages: number;
  /** 1 is the size on paper. */
  readonly scale: number;
  /** What the size follows; null where it was chosen. */
  readonly fit: Fit | null;
  /** Degrees clockwise. */
  readonly rotation: number;
  readonly layout: Layout;
  /** Null while nothing is sought. */
  readonly match: Match | null;
}

export interface Reader extends Finder {
  readonly document: PdfDocument;
  goTo(page: number): void;
  /** To a place that the document's outline names. */
  goToDestination(destination: string | unknown[]): void;
  zoom(by: 1 | -1): void;
  scaleTo(scale: number | Fit): void;
  /** A quarter turn clockwise, or back. */
  rotate(by: 1 | -1): void;
  setLayout(layout: Layout): void;
  /** Where it stands. */
  place(): Place;
  /** The match in front as it is now, which the tools show a moment later; null while nothing is sought. */
  match(): Match | null;
  close(): void;
}

/** More pages than this cannot be laid out below each other; pdf.js then shows them singly. */
const MOST_CONTINUOUS = 10_000;
/** ms from the last key to the first look. */
const TYPING_MS = 120;

interface Showing {
  readonly container: HTMLDivElement;
  readonly place: Place | null;
  readonly layout: Layout;
  show(state: ReaderState): void;
}

/** Shows a document in a container of the page; ready when its pages are laid out. Its links to the outside lead nowhere, and its forms are pictures. */
export async function showDocument(
  document: PdfDocument,
  { container, place, layout, show }: Showing,
): Promise<Reader> {
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  linkService.externalLinkEnabled = false;
  const controller = new PDFFindController({ eventBus, linkService, delay: TYPING_MS });
  const viewer = new PDFViewer({
    container,
    eventBus,
    linkService,
    findController: controller,
    annotationMode: AnnotationMode.ENABLE,
    imageResourcesPath: BESIDE,
    enableAutoLinking: false,
    enableSelectionRendering: false,
  });
  linkService.setViewer(viewer);

  let closed = false;
  let state: ReaderState = {
    page: 1,
    pages: document.numPages,
    scale: 1,
    fit: 'page-width',
    rotation: 0,
    layout: document.numPages > MOST_CONTINUOUS ? 'single' : layout,
    match: null,
  };
  const change = (part: Partial<ReaderState>) => {
    if (closed) return;
    state = { ...state, ...part };
    show(state);
  };
  const fitNow = (): Fit | null =>
    viewer.currentScaleValue === 'page-width' || viewer.currentScaleValue === 'page-fit'
      ? viewer.currentScaleValue
      : null;

  const laidOut = Promise.withResolvers<void>();
  eventBus.on('pagesinit', () => {
    viewer.scrollMode = state.layout === 'single' ? ScrollMode.PAGE : ScrollMode.VERTICAL;
    if (place) viewer.pagesRotation = place.rotation;
    viewer.currentScaleValue = String(place?.scale ?? 'page-width');
    if (place) viewer.currentPageNumber = Math.min(place.page, document.numPages);
    laidOut.resolve();
  });
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => change({ page: pageNumber }));
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => change({ scale, fit: fitNow() }));
  eventBus.on('rotationchanging', ({ pagesRotation }: { pagesRotation: number }) =>
    change({ rotation: pagesRotation }),
  );
  const finder = finderOf({ document, viewer, controller, eventBus, tell: (match) => change({ match }) });

  viewer.setDocument(document);
  linkService.setDocument(document);
  await laidOut.promise;
  change({});

  const resized = new ResizeObserver(() => {
    const fit = fitNow();
    if (fit !== null && viewer.pagesCount > 0) viewer.currentScaleValue = fit;
  });
  resized.observe(container);

  return {
    ...finder,
    document,
    goTo(page) {
      viewer.currentPageNumber = Math.max(1, Math.min(document.numPages, page));
    },
    goToDestination(destination) {
      // A destination that the document does not have leads nowhere.
      linkService.goToDestination(destination).catch(() => undefined);
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
    setLayout(chosen) {
      if (document.numPages > MOST_CONTINUOUS) return;
      viewer.scrollMode = chosen === 'single' ? ScrollMode.PAGE : ScrollMode.VERTICAL;
      change({ layout: chosen });
    },
    match: () => state.match,
    place: () => ({ page: state.page, scale: state.fit ?? state.scale, rotation: state.rotation }),
    close() {
      closed = true;
      resized.disconnect();
      // Their types do not say so, but null is how a document is taken out again.
      const none = null as unknown as PdfDocument;
      controller.setDocument(none);
      viewer.setDocument(none);
      linkService.setDocument(none);
    },
  };
}
