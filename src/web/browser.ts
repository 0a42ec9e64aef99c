import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, win32 } from 'node:path';

/** Inputs for opening a browser. `env` is passed to it, so it must not contain a key. */
export interface BrowserSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** True for root. Chromium refuses to run as root with its sandbox. */
  readonly root: boolean;
}

export interface OpenedBrowser {
  /** `window`: an app window that ends with the browser process. `tab`: a tab in the user's browser. */
  readonly as: 'window' | 'tab';
  close(): void;
}

/** A program with its arguments, and how it shows the address. */
interface Way {
  readonly as: OpenedBrowser['as'];
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Milliseconds after which a browser that has neither shown the page nor exited counts as started. It may be asking the
 * user a question.
 */
const SETTLE_MS = 10_000;

/**
 * Opens an address in an app window of Chrome, Chromium or Edge, else in the user's browser. Returns null if there is
 * none or no display. `settled` resolves when the page has connected or is no longer awaited. Until then, a browser that
 * exits is followed by the next one.
 */
export async function openBrowser(
  url: string,
  options: { surroundings: BrowserSurroundings; profile: string; settled: Promise<void> },
): Promise<OpenedBrowser | null> {
  const { surroundings, profile, settled } = options;
  for (const way of waysToOpen(url, surroundings, profile)) {
    const child = await started(way, surroundings.env, settled);
    if (child) return { as: way.as, close: () => child.kill() };
  }
  return null;
}

/** Returns the possible ways to open an address, best first. */
export function waysToOpen(url: string, surroundings: BrowserSurroundings, profile: string): Way[] {
  const { env, platform, root } = surroundings;
  const unix = platform !== 'win32' && platform !== 'darwin';
  if (unix && (root || !(env['DISPLAY'] || env['WAYLAND_DISPLAY']))) return [];
  const app = (program: string): Way => ({
    as: 'window',
    program,
    args: [
      `--app=${url}`,
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-extensions',
      '--disable-sync',
      '--window-size=1280,840',
    ],
  });
  const tab = (program: string, ...args: string[]): Way => ({ as: 'tab', program, args: [...args, url] });
  if (platform === 'win32') {
    return [...windowsBrowsers(env).filter(usable).map(app), tab('rundll32', 'url.dll,FileProtocolHandler')];
  }
  if (platform === 'darwin') return [...MAC_BROWSERS.filter(usable).map(app), tab('open')];
  return [
    ...onPath(env, UNIX_BROWSERS).filter(ownsItsFolder).map(app),
    ...onPath(env, ['xdg-open']).map((to) => tab(to)),
  ];
}

const UNIX_BROWSERS = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const MAC_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

function windowsBrowsers(env: BrowserSurroundings['env']): string[] {
  const places = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? []);
  const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
  return programs.flatMap((program) => places.map((place) => win32.join(place, program)));
}

function onPath(env: BrowserSurroundings['env'], programs: readonly string[]): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)).find(usable) ?? []);
}

function usable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the browser may use a profile in this folder. A snap may not use hidden folders. */
function ownsItsFolder(path: string): boolean {
  const real = realpathSync(path);
  return !real.startsWith('/snap/') && real !== '/usr/bin/snap';
}

/**
 * Returns the running program, or null if it could not be started or failed. One that exits successfully has passed the
 * address on.
 */
async function started(
  { program, args }: Way,
  env: BrowserSurroundings['env'],
  settled: Promise<void>,
): Promise<ChildProcess | null> {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...env } });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(child), SETTLE_MS);
    const settle = (is: ChildProcess | null) => {
      clearTimeout(timer);
      resolve(is);
    };
    void settled.then(() => settle(child));
    child.once('error', () => settle(null));
    child.once('exit', (code) => settle(code === 0 ? child : null));
  });
}
