import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, nativeTheme, screen, shell } from 'electron';
import type { Log } from '../host/index.ts';
import { openLink } from './links.ts';
import { installNavigation } from './navigation.ts';
import { START } from './own.ts';
import { keepPlace, readPlace, windowFolder, windowOptions } from './window.ts';

/** Brings the window to the front, or opens it. */
export function showWindow(given: { home: string; log: Log }): void {
  const [open] = BrowserWindow.getAllWindows();
  if (!open) openWindow(given);
  if (open?.isMinimized()) open.restore();
  open?.focus();
}

function openWindow({ home, log }: { home: string; log: Log }): void {
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
    void openLink(url, {
      openExternal: (link) => shell.openExternal(link),
      confirm: (host) => asked(window, host),
    });
  });
  webContents.on('render-process-gone', (_event, { reason }) => {
    log({ level: 'error', msg: 'The page ended.', reason });
    if (reason !== 'clean-exit' && !window.isDestroyed()) webContents.reload();
  });
  keepPlace(window, file, place);
  void window.loadURL(START);
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
