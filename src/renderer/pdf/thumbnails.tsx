import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../texts/texts.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import type { PdfDocument } from './open-document.ts';

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

/** Shows the page thumbnails. Only visible thumbnails are drawn. They are freed when they scroll out of view. */
export function Thumbnails({ document, page, pages, rotation, onGo }: ThumbnailsProps) {
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
  const inView = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
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

interface ThumbnailProps {
  readonly document: PdfDocument;
  readonly number: number;
  readonly rotation: number;
}

function Thumbnail({ document, number, rotation }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    return element ? drawThumbnail({ document, number, rotation, canvas: element }) : undefined;
  }, [document, number, rotation]);
  return <canvas ref={canvas} width={0} height={0} />;
}
