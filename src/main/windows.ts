import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, nativeTheme, screen, session, shell } from 'electron';
import { type Blobs, type Log, logFileOf } from '../host/index.ts';
import { openLink } from './links.ts';
import { installNavigation } from './navigation.ts';
import { START } from './own.ts';
import {
  guardPrinting,
  type PrintWindow,
  printedBlob,
  printOffered,
  printWindowOptions,
} from './printing.ts';
import { createRevival } from './revival.ts';
import { keepPlace, readPlace, windowFolder, windowOptions } from './window.ts';

interface Given {
  readonly home: string;
  readonly log: Log;
  readonly blobs: Blobs;
}

/** Brings the window to the front, or opens it. */
export function showWindow(given: Given): void {
  const [open] = BrowserWindow.getAllWindows();
  if (!open) openWindow(given);
  if (open?.isMinimized()) open.restore();
  open?.focus();
}

function openWindow({ home, log, blobs }: Given): void {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const file = join(windowFolder(home), 'place.json');
  const place = readPlace(file, screen.getAllDisplays());
  const window = new BrowserWindow(
    windowOptions({
      preload: at('../preload/index.cjs'),
      icon: at('../../resources/icon.png'),
      packaged: app.isPackaged,
      dark: nativeTheme.shouldUseDarkColors,
      place,
    }),
  );
  const { webContents } = window;
  installNavigation(webContents, (url) => {
    const printed = printedBlob(url);
    if (printed !== null) {
      const openPath = (path: string) => shell.openPath(path);
      const printing = { blobs, log, folder: printingFolder(home), openWindow: openPrintWindow, openPath };
      void printOffered(printed, printing);
      return;
    }
    void openLink(url, {
      openExternal: (link) => shell.openExternal(link),
      confirm: (host) => asked(window, host),
    });
  });
  const ended = createRevival({
    log,
    now: () => performance.now(),
    isThere: () => !window.isDestroyed(),
    reload: () => webContents.reload(),
    ask: () => askedAgain(window, logFileOf(home)),
    quit: () => app.quit(),
  });
  webContents.on('render-process-gone', (_event, { reason }) => void ended(reason));
  keepPlace(window, file, place);
  void window.loadURL(START);
}

/** Returns the folder for PDFs being printed. */
export function printingFolder(home: string): string {
  return join(windowFolder(home), 'printing');
}

const PRINTING = 'printing';

function openPrintWindow(): PrintWindow {
  guardPrinting(session.fromPartition(PRINTING));
  const window = new BrowserWindow(printWindowOptions(PRINTING));
  const { webContents } = window;
  installNavigation(webContents, () => undefined);
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

async function asked(window: BrowserWindow, host: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Open ${host} in your browser?`,
    detail: 'The link leaves Tieout.',
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** Tells the user that the page keeps crashing, even if the window was never painted. Resolves to true to try again. */
async function askedAgain(window: BrowserWindow, logFile: string): Promise<boolean> {
  window.show();
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'Tieout’s window stopped several times in a row',
    detail: `Nothing that was saved is lost, and what runs in the background goes on. Why it stopped is in the log: ${logFile}`,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}
