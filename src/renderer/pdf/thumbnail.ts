import type { PdfDocument } from './document.ts';

/** px a thumbnail fits into. */
const WIDE = 108;
const HIGH = 134;

interface Thumbnail {
  readonly document: PdfDocument;
  /** From 1. */
  readonly number: number;
  readonly rotation: number;
  readonly canvas: HTMLCanvasElement;
}

/** One is drawn after the other, so that the page that is read does not wait for many. */
let queue: Promise<void> = Promise.resolve();

/** Draws a page small, when its turn comes. Gives what takes it away again, with all that was kept for it. */
export function drawThumbnail({ document, number, rotation, canvas }: Thumbnail): () => void {
  const end = new AbortController();
  const { signal } = end;
  const draw = async () => {
    if (signal.aborted) return;
    const page = await document.getPage(number);
    if (signal.aborted) return;
    const turned = (page.rotate + rotation) % 360;
    const paper = page.getViewport({ scale: 1, rotation: turned });
    const scale = Math.min(WIDE / paper.width, HIGH / paper.height);
    const viewport = page.getViewport({ scale: scale * devicePixelRatio, rotation: turned });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    canvas.style.width = `${Math.max(1, Math.round(paper.width * scale))}px`;
    canvas.style.height = `${Math.max(1, Math.round(paper.height * scale))}px`;
    const drawing = page.render({ canvas, viewport });
    signal.addEventListener('abort', () => drawing.cancel(), { once: true });
    await drawing.promise;
    page.cleanup();
  };
  // A page that cannot be drawn has no picture; the reader says why.
  queue = queue.then(draw).catch(() => undefined);
  return () => {
    end.abort();
    canvas.width = 0;
    canvas.height = 0;
  };
}
