import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';

/** Position of a window, saved for the next start. */
export interface Place {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

const USUAL = { width: 1280, height: 840 };
const LEAST = { width: 880, height: 560 };

/** Returns the folder for data of Chromium and the window, inside the home, so that two homes are independent apps. */
export function windowFolder(home: string): string {
  const folder = join(home, 'window');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the options of a window: isolated, sandboxed, with the one preload script, shown after its first paint. */
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
    // Background before the first paint.
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

/** Reads the saved position. Returns null if it is unknown, unreadable, or on no connected display. */
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

/** Shows the window after its first paint, and saves its position when it is closed. */
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
