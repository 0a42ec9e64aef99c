import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';

/** Position, size and state of a window, saved for the next start. */
export interface WindowPosition {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
  readonly fullScreen: boolean;
}

const DEFAULT_SIZE = { width: 1280, height: 840 };
const MIN_SIZE = { width: 880, height: 560 };

/** Creates the folder for data of Chromium and of the window, inside the home. */
export function prepareWindowFolder(home: string): string {
  const folder = join(home, 'window');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the options of an app window: isolated, sandboxed, with a single preload script. */
export function createWindowOptions(options: {
  preload: string;
  icon: string;
  packaged: boolean;
  dark: boolean;
  position: WindowPosition | null;
}): BrowserWindowConstructorOptions {
  const { preload, icon, packaged, dark, position } = options;
  return {
    ...(position?.bounds ?? DEFAULT_SIZE),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Tieout',
    icon,
    show: false,
    autoHideMenuBar: true,
    // Background color until the first paint.
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

/** Reads the saved position. Returns null if it is missing, invalid or not on a connected display. */
export function readWindowPosition(
  file: string,
  displays: readonly { workArea: Rectangle }[],
): WindowPosition | null {
  try {
    const position = JSON.parse(readFileSync(file, 'utf8')) as WindowPosition;
    const { x, y, width, height } = position.bounds;
    const isValid =
      [x, y, width, height].every(Number.isInteger) && width >= MIN_SIZE.width && height >= MIN_SIZE.height;
    const isVisible = displays.some(({ workArea: area }) => {
      const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
      const down = Math.min(y + height, area.y + area.height) - Math.max(y, area.y);
      return across >= 200 && down >= 100;
    });
    return isValid && isVisible ? position : null;
  } catch {
    return null;
  }
}

/**
 * Shows the window after its first paint. Saves its position when it closes. `maximize` and `setFullScreen` would show
 * a hidden window, so they also wait for the first paint.
 */
export function trackWindowPosition(
  window: BrowserWindow,
  file: string,
  position: WindowPosition | null,
): void {
  window.once('ready-to-show', () => {
    if (position?.maximized) window.maximize();
    if (position?.fullScreen) window.setFullScreen(true);
    window.show();
  });
  window.on('close', () => {
    const now: WindowPosition = {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    };
    try {
      writeFileSync(file, JSON.stringify(now), { mode: 0o600 });
    } catch {
      // If saving fails, the next window opens at the previously saved position.
    }
  });
}
