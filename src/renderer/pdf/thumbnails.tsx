import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { words } from '../words/words.ts';
import type { PdfDocument } from './document.ts';
import { drawThumbnail } from './thumbnail.ts';

/** px of a thumbnail with its number, and the room around them. */
const HEIGHT = 166;
const OVERSCAN = 2;

interface ThumbnailsProps {
  readonly document: PdfDocument;
  readonly page: number;
  readonly pages: number;
  readonly rotation: number;
  readonly onGo: (page: number) => void;
}

/** The pages as small pictures: of all only those in view are drawn, and given back when they leave it. */
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
    const above = (page - 1) * HEIGHT;
    if (above < element.scrollTop) element.scrollTop = above;
    else if (above + HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = above + HEIGHT - element.clientHeight;
  }, [page]);

  function press(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5, Home: -pages, End: pages }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onGo(Math.max(1, Math.min(pages, page + by)));
  }

  const first = Math.max(1, Math.floor(top / HEIGHT) + 1 - OVERSCAN);
  const last = Math.min(pages, Math.ceil((top + height) / HEIGHT) + OVERSCAN);
  const inView = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
  // The page in front stays, so that it can be named to screen readers.
  if (page < first || page > last) inView.push(page);
  return (
    <div
      ref={box}
      className="pdf-thumbs"
      role="listbox"
      aria-label={words.pdf.thumbnails}
      aria-activedescendant={`${id}-${page}`}
      tabIndex={0}
      onKeyDown={press}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: pages * HEIGHT }} role="presentation">
        {inView.map((number) => (
          <div
            key={number}
            id={`${id}-${number}`}
            role="option"
            aria-selected={number === page}
            aria-setsize={pages}
            aria-posinset={number}
            aria-label={words.pdf.pageNumber(number)}
            tabIndex={-1}
            className="pdf-thumb"
            style={{ transform: `translateY(${(number - 1) * HEIGHT}px)` }}
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
