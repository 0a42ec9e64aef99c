import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { PdfDocument } from './open-pdf-document.ts';

/** Height of a thumbnail in px, including its page number and margins. */
const THUMBNAIL_HEIGHT_PX = 166;
const OVERSCAN_PAGES = 2;

interface ThumbnailsProps {
  readonly document: PdfDocument;
  readonly page: number;
  readonly pages: number;
  readonly rotation: number;
  readonly onGo: (page: number) => void;
}

/** Shows the page thumbnails. A thumbnail is drawn when it becomes visible and freed when it scrolls out of view. */
export function PdfThumbnails({ document, page, pages, rotation, onGo }: ThumbnailsProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const above = (page - 1) * THUMBNAIL_HEIGHT_PX;
    if (above < element.scrollTop) element.scrollTop = above;
    else if (above + THUMBNAIL_HEIGHT_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = above + THUMBNAIL_HEIGHT_PX - element.clientHeight;
  }, [page]);

  function handleKey(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5, Home: -pages, End: pages }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onGo(Math.max(1, Math.min(pages, page + by)));
  }

  const first = Math.max(1, Math.floor(top / THUMBNAIL_HEIGHT_PX) + 1 - OVERSCAN_PAGES);
  const last = Math.min(pages, Math.ceil((top + height) / THUMBNAIL_HEIGHT_PX) + OVERSCAN_PAGES);
  const inView = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  // Always renders the current page, so that screen readers can announce it.
  if (page < first || page > last) inView.push(page);
  return (
    <div
      ref={box}
      className="pdf-thumbnails"
      role="listbox"
      aria-label={texts.pdf.thumbnails}
      aria-activedescendant={`${id}-${page}`}
      tabIndex={0}
      onKeyDown={handleKey}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: pages * THUMBNAIL_HEIGHT_PX }} role="presentation">
        {inView.map((number) => (
          <div
            key={number}
            id={`${id}-${number}`}
            role="option"
            aria-selected={number === page}
            aria-setsize={pages}
            aria-posinset={number}
            aria-label={texts.pdf.pageNumber(number)}
            tabIndex={-1}
            className="pdf-thumbnail"
            style={{ transform: `translateY(${(number - 1) * THUMBNAIL_HEIGHT_PX}px)` }}
            onPointerDown={() => onGo(number)}
          >
            <Thumbnail document={document} number={number} rotation={rotation} />
            <span aria-hidden="true">{number}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Thumbnail({ document, number, rotation }: Omit<DrawThumbnailOptions, 'canvas'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    return element ? drawThumbnail({ document, number, rotation, canvas: element }) : undefined;
  }, [document, number, rotation]);
  return <canvas ref={canvas} width={0} height={0} />;
}

/** Maximum size of a page thumbnail in px. */
const MAX_WIDTH_PX = 108;
const MAX_HEIGHT_PX = 134;

interface DrawThumbnailOptions {
  readonly document: PdfDocument;
  /** Page number, counted from 1. */
  readonly number: number;
  readonly rotation: number;
  readonly canvas: HTMLCanvasElement;
}

/** Queue that draws thumbnails one after another, so that the open page does not have to wait for many of them. */
let renderQueue: Promise<void> = Promise.resolve();

/** Queues the drawing of a thumbnail. Returns a function that cancels the drawing and frees the canvas. */
function drawThumbnail({ document, number, rotation, canvas }: DrawThumbnailOptions): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const draw = async () => {
    if (signal.aborted) return;
    const page = await document.getPage(number);
    if (signal.aborted) return;
    const pageRotation = (page.rotate + rotation) % 360;
    const paper = page.getViewport({ scale: 1, rotation: pageRotation });
    const scale = Math.min(MAX_WIDTH_PX / paper.width, MAX_HEIGHT_PX / paper.height);
    const viewport = page.getViewport({ scale: scale * devicePixelRatio, rotation: pageRotation });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    canvas.style.width = `${Math.max(1, Math.round(paper.width * scale))}px`;
    canvas.style.height = `${Math.max(1, Math.round(paper.height * scale))}px`;
    const drawing = page.render({ canvas, viewport });
    signal.addEventListener('abort', () => drawing.cancel(), { once: true });
    await drawing.promise;
    page.cleanup();
  };
  // Ignores errors: a page that cannot be drawn gets no thumbnail, and the viewer shows the error.
  renderQueue = renderQueue.then(draw).catch(() => undefined);
  return () => {
    controller.abort();
    canvas.width = 0;
    canvas.height = 0;
  };
}
