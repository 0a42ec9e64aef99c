/** One event of a frame. */
export interface FrameEvent {
  /** `starts` is the start of a navigation, which the app may prevent. `downloads` is the start of a download. */
  readonly event: 'attached' | 'starts' | 'navigated' | 'loaded' | 'downloads' | 'printed';
  /** Depth of the frame below the page: 0 is the page itself. */
  readonly frame: number;
  readonly url?: string;
  /** Contents of the printed sheet. */
  readonly sheet?: 'empty' | 'pdf';
}

/** Address of the PDF in the recording. */
export const PDF_URL = 'file:///black-square.pdf';
/** Origin of Chromium's PDF viewer. */
export const VIEWER_ORIGIN = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai';
const VIEWER_URL = `${VIEWER_ORIGIN}/index.html`;

/**
 * Events of a page that shows a PDF, as recorded from Chromium 156 over the DevTools protocol. The page contains a frame
 * with the viewer, which contains a frame with the PDF. The page finishes loading before both. A test repeats the
 * recording.
 */
export const PDF_FRAME_EVENTS: readonly FrameEvent[] = [
  { event: 'starts', frame: 0, url: PDF_URL },
  { event: 'navigated', frame: 0, url: PDF_URL },
  { event: 'attached', frame: 1 },
  { event: 'navigated', frame: 1, url: 'about:blank' },
  { event: 'starts', frame: 1, url: VIEWER_URL },
  { event: 'loaded', frame: 1 },
  { event: 'loaded', frame: 0 },
  { event: 'navigated', frame: 1, url: VIEWER_URL },
  { event: 'loaded', frame: 1 },
  { event: 'attached', frame: 2 },
  // The viewer requests the PDF under an address of its own, which Chromium replaces by the address of the file.
  { event: 'starts', frame: 2, url: `${VIEWER_ORIGIN}/stream` },
  { event: 'starts', frame: 2, url: PDF_URL },
  { event: 'navigated', frame: 2, url: PDF_URL },
  { event: 'loaded', frame: 2 },
];

/** Result of printing a page right after a frame at this depth has loaded. */
export interface PrintResult {
  readonly loadedFrame: number;
  readonly sheet: 'empty' | 'pdf';
}

/**
 * Results of printing a page that shows a PDF, as recorded from Chromium 156. The page itself prints as an empty sheet,
 * and Chromium reports success. Printing emits no event of a frame.
 */
export const PRINT_RESULTS: readonly PrintResult[] = [
  { loadedFrame: 0, sheet: 'empty' },
  { loadedFrame: 2, sheet: 'pdf' },
];

/** Address of the page in the recording of a download. */
export const DOWNLOAD_PAGE_URL = 'file:///download.html';

/**
 * Events of a page that downloads a file it has made, as recorded from Chromium 156. A download is no navigation, so a
 * guard of navigations does not see it.
 */
export const DOWNLOAD_FRAME_EVENTS: readonly FrameEvent[] = [
  { event: 'starts', frame: 0, url: DOWNLOAD_PAGE_URL },
  { event: 'navigated', frame: 0, url: DOWNLOAD_PAGE_URL },
  { event: 'loaded', frame: 0 },
  { event: 'downloads', frame: 0, url: 'blob:' },
];
