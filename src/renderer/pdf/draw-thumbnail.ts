import type { PdfDocument } from './open-document.ts';

/** Maximum size of a thumbnail in px. */
const MAX_WIDTH_PX = 108;
const MAX_HEIGHT_PX = 134;

interface DrawThumbnailOptions {
  readonly document: PdfDocument;
  /** From 1. */
  readonly number: number;
  readonly rotation: number;
  readonly canvas: HTMLCanvasElement;
}

/** Thumbnails are drawn one after another, so that the open page does not wait for many of them. */
let renderQueue: Promise<void> = Promise.resolve();

/** Queues drawing a thumbnail. Returns a function that cancels the drawing and frees the canvas. */
export function drawThumbnail({ document, number, rotation, canvas }: DrawThumbnailOptions): () => void {
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
  // A page that cannot be drawn has no thumbnail. The viewer shows the error.
  renderQueue = renderQueue.then(draw).catch(() => undefined);
  return () => {
    controller.abort();
    canvas.width = 0;
    canvas.height = 0;
  };
}
