import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserWindowConstructorOptions, Event, Session, WebContents, WebFrameMain } from 'electron';
import { BrowserWindow, session } from 'electron';
import type { PrintWindow } from './printing.ts';

const PRINT_PARTITION = 'printing';

/** Origin of Chromium's PDF viewer, which is a built-in extension. */
const PDF_VIEWER_ORIGIN = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

/** Milliseconds to wait for a PDF to load before the system's viewer is used instead. Chosen by judgment. */
const LOAD_TIMEOUT_MS = 20_000;

/** Opens a hidden window that shows and prints one PDF, with its own session and without access to the app. */
export function openPrintWindow(): PrintWindow & { printToPdf(path: string): Promise<Uint8Array> } {
  restrictPrintSession(session.fromPartition(PRINT_PARTITION));
  const window = new BrowserWindow(createPrintWindowOptions());
  const { webContents } = window;
  const show = async (path: string) => {
    restrictPrintNavigation(webContents, path);
    const shown = waitForPdfFrame(webContents, path, LOAD_TIMEOUT_MS);
    await Promise.all([window.loadURL(pathToFileURL(path).href), shown]);
  };
  return {
    async print(path) {
      await show(path);
      return await new Promise((resolve, reject) => {
        webContents.print({}, (done, reason) => {
          if (done) resolve('printed');
          else if (/cancel/i.test(reason)) resolve('canceled');
          else reject(new Error(reason));
        });
      });
    },
    async printToPdf(path) {
      await show(path);
      return await webContents.printToPDF({});
    },
    close: () => window.destroy(),
  };
}

function createPrintWindowOptions(): BrowserWindowConstructorOptions {
  const isolation = { contextIsolation: true, sandbox: true, webSecurity: true, nodeIntegration: false };
  return {
    show: false,
    webPreferences: {
      partition: PRINT_PARTITION,
      plugins: true,
      ...isolation,
      webviewTag: false,
      devTools: false,
    },
  };
}

/**
 * Resolves when Chromium's viewer has loaded the PDF. The page finishes loading earlier: it contains a frame with the
 * viewer, which contains a frame with the PDF. Printing too early would print an empty sheet.
 */
export function waitForPdfFrame(
  contents: Pick<WebContents, 'on' | 'off'> & { readonly mainFrame: Pick<WebFrameMain, 'framesInSubtree'> },
  path: string,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => finish(new Error(`The PDF was not shown within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    const check = (_event: unknown, isMainFrame: boolean) => {
      if (isMainFrame) return;
      const frames = contents.mainFrame.framesInSubtree;
      if (frames.some((frame) => frame.parent !== null && isFileUrl(frame.url, path))) finish();
    };
    const fail = (...[, code, description, , isMainFrame]: DidFailLoadArguments) => {
      if (isMainFrame) finish(new Error(`${description} (${code})`));
    };
    function finish(error?: Error): void {
      clearTimeout(timer);
      contents.off('did-frame-finish-load', check);
      contents.off('did-fail-load', fail);
      if (error) reject(error);
      else resolve();
    }
    contents.on('did-frame-finish-load', check);
    contents.on('did-fail-load', fail);
  });
}

type DidFailLoadArguments = [
  event: unknown,
  code: number,
  description: string,
  url: string,
  isMainFrame: boolean,
];

/** Lets a print window load only its file, and Chromium's viewer in frames. */
export function restrictPrintNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  path: string,
): void {
  const isAllowed = (url: string, isMainFrame: boolean) =>
    isFileUrl(url, path) || (!isMainFrame && (url === 'about:blank' || url.startsWith(PDF_VIEWER_ORIGIN)));
  const restrict = (details: Event<{ url: string; isMainFrame: boolean }>) => {
    if (!isAllowed(details.url, details.isMainFrame)) details.preventDefault();
  };
  contents.on('will-frame-navigate', restrict);
  contents.on('will-redirect', restrict);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Compares paths, because Chromium may encode characters of the address differently. */
function isFileUrl(url: string, path: string): boolean {
  return url.startsWith('file:') && URL.canParse(url) && fileURLToPath(url) === path;
}

type RestrictableSession = Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'> & {
  readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'>;
};

/** Restricts a print window to its file and Chromium's viewer, without permissions and without network access. */
export function restrictPrintSession(session: RestrictableSession): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
    answer({ cancel: !['file:', 'chrome-extension:', 'chrome:', 'blob:', 'data:'].includes(protocol) });
  });
}
