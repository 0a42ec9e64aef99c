import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, Menu, nativeTheme, screen, shell } from 'electron';
import type { MenuCommand, WindowEvent } from '../contract/index.ts';
import { getLogFilePath, type LogWriter } from '../host/index.ts';
import { APP_START_URL } from './app-origin.ts';
import { createContextMenuTemplate } from './context-menu.ts';
import { createMenuTemplate } from './menu.ts';
import { openLinkInBrowser } from './open-link.ts';
import type { OpenedFiles } from './opening/opened-files.ts';
import { createPageCrashHandler } from './page-crash-handler.ts';
import { openPrintWindow } from './print-window.ts';
import { printPdf } from './printing.ts';
import { restrictNavigation } from './restrict-navigation.ts';
import { startSavingFile } from './save-file.ts';
import type { StartProgress } from './start-progress.ts';
import {
  createWindowOptions,
  prepareWindowFolder,
  readWindowPosition,
  trackWindowPosition,
} from './window-options.ts';
import { createWindowShell, type WindowShell } from './window-shell.ts';

/** Objects and settings that all windows of the app share. */
export interface WindowContext {
  readonly home: string;
  readonly log: LogWriter;
  readonly files: OpenedFiles;
  readonly startProgress: Pick<StartProgress, 'watch'>;
}

interface AppWindow {
  readonly window: BrowserWindow;
  readonly shell: WindowShell;
}

/** The app's windows without print windows, most recently focused first. Closing windows leave the list. */
let appWindows: readonly AppWindow[] = [];

/** Brings the last used window to the front, or opens a window if none exists. */
export function showWindow(context: WindowContext): void {
  const [latest] = appWindows;
  if (!latest) {
    openWindow(context);
    return;
  }
  if (latest.window.isMinimized()) latest.window.restore();
  latest.window.focus();
}

/** Sends an event to the last used window. */
export function sendToWindow(event: WindowEvent): void {
  appWindows[0]?.shell.send(event);
}

export function sendToAllWindows(event: WindowEvent): void {
  for (const { shell } of appWindows) shell.send(event);
}

/** Returns the shell of the app window whose page has this webContents id. Null for other pages. */
export function findWindowShell(webContentsId: number): WindowShell | null {
  return appWindows.find(({ window }) => window.webContents.id === webContentsId)?.shell ?? null;
}

/** Opens another window of the app. */
export function openWindow(context: WindowContext): void {
  const { home, log } = context;
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
  restrictNavigation(webContents, {
    openLink: (url) => {
      void openLinkInBrowser(url, {
        openExternal: (link) => shell.openExternal(link),
        confirm: (host) => confirmOpenLink(window, host),
      });
    },
    returnToStart: () => void window.loadURL(APP_START_URL),
  });
  webContents.on('context-menu', (_event, params) => {
    const template = createContextMenuTemplate(params);
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
  watchPage(window, context);
  trackWindowPosition(window, file, position);
  const appWindow = { window, shell: createShell(window, context) };
  const withoutThis = () => appWindows.filter((other) => other !== appWindow);
  appWindows = [appWindow, ...appWindows];
  window.on('focus', () => {
    appWindows = [appWindow, ...withoutThis()];
  });
  window.on('close', (event) => {
    if (!event.defaultPrevented) appWindows = withoutThis();
  });
  log({ level: 'info', msg: 'Window opened.' });
  void window.loadURL(APP_START_URL);
}

function createShell(window: BrowserWindow, context: WindowContext): WindowShell {
  const { home, log, files, startProgress } = context;
  const windowShell = createWindowShell({
    print: (pdf) =>
      printPdf(pdf, {
        folder: getPrintFolder(home),
        log,
        openWindow: openPrintWindow,
        openPath: (path) => shell.openPath(path),
      }),
    startSaving: (name) =>
      startSavingFile(name, {
        home,
        downloads: app.getPath('downloads'),
        showDialog: (options) => dialog.showSaveDialog(window, options),
      }),
    takeFile: (id) => files.take(id),
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    setMenu: (commands) => setAppMenu(context, commands),
    watchStart: () => startProgress.watch(),
  });
  return windowShell;
}

/** Sets the system menu. It contains only standard entries until a page has sent its commands. */
export function setAppMenu(context: WindowContext, commands: readonly MenuCommand[]): void {
  const template = createMenuTemplate({
    mac: process.platform === 'darwin',
    packaged: app.isPackaged,
    commands,
    run: (id) => sendToWindow({ kind: 'command', id }),
    openWindow: () => openWindow(context),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Reloads a crashed page. Asks the user if the page crashes repeatedly or does not respond. */
function watchPage(window: BrowserWindow, { home, log }: WindowContext): void {
  const { webContents } = window;
  const onPageEnded = createPageCrashHandler({
    log,
    now: () => performance.now(),
    isWindowOpen: () => !window.isDestroyed(),
    reload: () => webContents.reload(),
    askToTryAgain: () => askToTryAgain(window, getLogFilePath(home)),
    quit: () => app.quit(),
  });
  webContents.on('render-process-gone', (_event, { reason }) => void onPageEnded(reason));
  window.on('unresponsive', () => {
    log({ level: 'error', msg: 'The page does not respond.' });
    void askToReload(window).then((reload) => {
      if (reload && !window.isDestroyed()) webContents.forcefullyCrashRenderer();
    });
  });
}

/** Returns the folder for PDFs that are being printed. */
export function getPrintFolder(home: string): string {
  return join(prepareWindowFolder(home), 'printing');
}

async function confirmOpenLink(window: BrowserWindow, host: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    ...{ type: 'question', buttons: ['Open', 'Cancel'], defaultId: 1, cancelId: 1 },
    message: `Open ${host} in your browser?`,
    detail: 'The link leaves Tieout.',
  });
  return response === 0;
}

/** Asks whether to try again after repeated crashes. First shows the window, which may never have been visible. */
async function askToTryAgain(window: BrowserWindow, logFile: string): Promise<boolean> {
  window.show();
  const { response } = await dialog.showMessageBox(window, {
    ...{ type: 'error', buttons: ['Try again', 'Quit'], defaultId: 0, cancelId: 1 },
    message: 'Tieout’s window stopped several times in a row',
    detail: `Saved data is not lost, and background jobs continue. See the log for the reason: ${logFile}`,
  });
  return response === 0;
}

/** Asks whether to reload a page that does not respond. */
async function askToReload(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    ...{ type: 'warning', buttons: ['Wait', 'Reload window'], defaultId: 0, cancelId: 0 },
    message: 'Tieout’s window does not respond',
    detail: 'Saved data is not lost, and background jobs continue.',
  });
  return response === 1;
}
