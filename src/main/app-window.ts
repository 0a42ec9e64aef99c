import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, nativeTheme, screen, session, shell } from 'electron';
import { getLogFilePath, type Log, type OneTimeFiles } from '../host/index.ts';
import { APP_START_URL } from './app-origin.ts';
import { openLinkInBrowser } from './open-link.ts';
import { createCrashHandler } from './page-crash-handler.ts';
import {
  createPrintWindowOptions,
  type PrintWindow,
  parsePrintUrl,
  printOneTimeFile,
  restrictPrintSession,
} from './printing.ts';
import { restrictNavigation } from './restrict-navigation.ts';
import {
  createWindowOptions,
  prepareWindowFolder,
  readWindowPosition,
  trackWindowPosition,
} from './window-options.ts';

interface WindowContext {
  readonly home: string;
  readonly log: Log;
  readonly blobs: OneTimeFiles;
}

/** The app's window, which is not a print window. Null before it is opened and as soon as it is closing. */
let appWindow: BrowserWindow | null = null;

/** Brings the app's window to the front, or opens it if there is none. */
export function showWindow(context: WindowContext): void {
  if (appWindow === null || appWindow.isDestroyed()) {
    appWindow = openWindow(context);
    return;
  }
  if (appWindow.isMinimized()) appWindow.restore();
  appWindow.focus();
}

function openWindow({ home, log, blobs }: WindowContext): BrowserWindow {
  const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const file = join(prepareWindowFolder(home), 'window-position.json');
  const position = readWindowPosition(file, screen.getAllDisplays());
  const window = new BrowserWindow(
    createWindowOptions({
      preload: toPath('../preload/index.cjs'),
      icon: toPath('../../resources/icon.png'),
      packaged: app.isPackaged,
      dark: nativeTheme.shouldUseDarkColors,
      position,
    }),
  );
  const { webContents } = window;
  restrictNavigation(webContents, (url) => {
    const printed = parsePrintUrl(url);
    if (printed !== null) {
      const openPath = (path: string) => shell.openPath(path);
      const printing = { blobs, log, folder: getPrintFolder(home), openWindow: openPrintWindow, openPath };
      void printOneTimeFile(printed, printing);
      return;
    }
    void openLinkInBrowser(url, {
      openExternal: (link) => shell.openExternal(link),
      confirm: (host) => confirmOpenLink(window, host),
    });
  });
  const onPageEnded = createCrashHandler({
    log,
    now: () => performance.now(),
    isWindowOpen: () => !window.isDestroyed(),
    reload: () => webContents.reload(),
    askToTryAgain: () => askToTryAgain(window, getLogFilePath(home)),
    quit: () => app.quit(),
  });
  webContents.on('render-process-gone', (_event, { reason }) => void onPageEnded(reason));
  trackWindowPosition(window, file, position);
  window.on('close', () => {
    if (appWindow === window) appWindow = null;
  });
  void window.loadURL(APP_START_URL);
  return window;
}

/** Returns the folder for PDFs that are being printed. */
export function getPrintFolder(home: string): string {
  return join(prepareWindowFolder(home), 'printing');
}

const PRINT_PARTITION = 'printing';

function openPrintWindow(): PrintWindow {
  restrictPrintSession(session.fromPartition(PRINT_PARTITION));
  const window = new BrowserWindow(createPrintWindowOptions(PRINT_PARTITION));
  const { webContents } = window;
  restrictNavigation(webContents, () => undefined);
  return {
    async print(path) {
      await window.loadFile(path);
      return await new Promise((resolve) => {
        webContents.print({}, (done, reason) => resolve(done || /cancel/i.test(reason)));
      });
    },
    close: () => window.destroy(),
  };
}

async function confirmOpenLink(window: BrowserWindow, host: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    ...{ type: 'question', buttons: ['Open', 'Cancel'], defaultId: 1, cancelId: 1 },
    message: `Open ${host} in your browser?`,
    detail: 'The link leaves Tieout.',
  });
  return response === 0;
}

/** Asks whether to try again after repeated crashes. Shows the window even if it was never painted. */
async function askToTryAgain(window: BrowserWindow, logFile: string): Promise<boolean> {
  window.show();
  const { response } = await dialog.showMessageBox(window, {
    ...{ type: 'error', buttons: ['Try again', 'Quit'], defaultId: 0, cancelId: 1 },
    message: 'Tieout’s window stopped several times in a row',
    detail: `Saved data is not lost, and background jobs continue. See the log for the reason: ${logFile}`,
  });
  return response === 0;
}
