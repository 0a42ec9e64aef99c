import type { PdfDocument } from './open-document.ts';

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
  // Ignores errors: a page that cannot be drawn gets no thumbnail, and the viewer shows the error.
  renderQueue = renderQueue.then(draw).catch(() => undefined);
  return () => {
    controller.abort();
    canvas.width = 0;
    canvas.height = 0;
  };
}
