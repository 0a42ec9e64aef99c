import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';

/** Where a window was, for the next start. */
export interface Place {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

const USUAL = { width: 1280, height: 840 };
const LEAST = { width: 880, height: 560 };

/** What Chromium and the window keep of themselves lies in the home too, so that two homes are two apps. */
export function windowFolder(home: string): string {
  const folder = join(home, 'window');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** How a window is made: isolated, sandboxed, with the one preload script, shown only once it has something to show. */
export function windowOptions(given: {
  preload: string;
  icon: string;
  packaged: boolean;
  dark: boolean;
  place: Place | null;
}): BrowserWindowConstructorOptions {
  const { preload, icon, packaged, dark, place } = given;
  return {
    ...(place?.bounds ?? USUAL),
    minWidth: LEAST.width,
    minHeight: LEAST.height,
    title: 'Tieout',
    icon,
    show: false,
    autoHideMenuBar: true,
    // What is seen before the first paint.
    backgroundColor: dark ? '#0e0f12' : '#f5f5f7',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !packaged,
    },
  };
}

/** Reads where the window was; null where that is unknown, unreadable, or on no display that is there now. */
export function readPlace(file: string, displays: readonly { workArea: Rectangle }[]): Place | null {
  try {
    const place = JSON.parse(readFileSync(file, 'utf8')) as Place;
    const { x, y, width, height } = place.bounds;
    const sound =
      [x, y, width, height].every(Number.isInteger) && width >= LEAST.width && height >= LEAST.height;
    const seen = displays.some(({ workArea: area }) => {
      const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
      const down = Math.min(y + height, area.y + area.height) - Math.max(y, area.y);
      return across >= 200 && down >= 100;
    });
    return sound && seen ? place : null;
  } catch {
    return null;
  }
}

/** Shows the window when it has painted, and keeps its place when it is closed. */
export function keepPlace(window: BrowserWindow, file: string, place: Place | null): void {
  if (place?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    const now: Place = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      writeFileSync(file, JSON.stringify(now), { mode: 0o600 });
    } catch {
      // The next window opens at its usual place.
    }
  });
}
