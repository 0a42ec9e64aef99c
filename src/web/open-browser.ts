import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, win32 } from 'node:path';

/** Environment for opening a browser. `env` is passed to the browser, so it must not contain a key. */
export interface BrowserEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** True if the user is root. Chromium refuses to run as root with its sandbox. */
  readonly root: boolean;
}

export interface BrowserOpenResult {
  /** Either an app window, which closes with the browser process, or a tab in the user's browser. */
  readonly as: 'window' | 'tab';
  close(): void;
}

/** Program that opens the address, with its arguments. */
interface BrowserCommand {
  readonly as: BrowserOpenResult['as'];
  readonly program: string;
  readonly args: readonly string[];
}

/** Milliseconds after which a browser that is still running counts as started. Chosen by judgment. */
const LAUNCH_TIMEOUT_MS = 10_000;

/**
 * Opens an address in an app window of Chrome, Chromium or Edge, or else in the user's default browser. Returns null if
 * there is no browser or no display. If a browser exits before `settled` resolves, tries the next one. `settled`
 * resolves when the page has connected or is no longer awaited.
 */
export async function openBrowser(
  url: string,
  options: { environment: BrowserEnvironment; profile: string; settled: Promise<void> },
): Promise<BrowserOpenResult | null> {
  const { environment, profile, settled } = options;
  for (const command of listBrowserCommands(url, environment, profile)) {
    const child = await launchBrowser(command, environment.env, settled);
    if (child) return { as: command.as, close: () => child.kill() };
  }
  return null;
}

/** Returns the commands that may open an address, in order of preference. */
export function listBrowserCommands(
  url: string,
  environment: BrowserEnvironment,
  profile: string,
): BrowserCommand[] {
  const { env, platform, root } = environment;
  const isUnix = platform !== 'win32' && platform !== 'darwin';
  if (isUnix && (root || !(env['DISPLAY'] || env['WAYLAND_DISPLAY']))) return [];
  const toWindowCommand = (program: string): BrowserCommand => ({
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
  const toTabCommand = (program: string, ...args: string[]): BrowserCommand => ({
    as: 'tab',
    program,
    args: [...args, url],
  });
  if (platform === 'win32') {
    return [
      ...listWindowsBrowsers(env).filter(isExecutable).map(toWindowCommand),
      toTabCommand('rundll32', 'url.dll,FileProtocolHandler'),
    ];
  }
  if (platform === 'darwin')
    return [...MAC_BROWSERS.filter(isExecutable).map(toWindowCommand), toTabCommand('open')];
  return [
    ...findOnPath(env, UNIX_BROWSERS).filter(canUseProfile).map(toWindowCommand),
    ...findOnPath(env, ['xdg-open']).map((to) => toTabCommand(to)),
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

function listWindowsBrowsers(env: BrowserEnvironment['env']): string[] {
  const programFolders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    (name) => env[name] ?? [],
  );
  const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
  return programs.flatMap((program) => programFolders.map((place) => win32.join(place, program)));
}

function findOnPath(env: BrowserEnvironment['env'], programs: readonly string[]): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return programs.flatMap(
    (program) => folders.map((folder) => join(folder, program)).find(isExecutable) ?? [],
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the browser may use a profile in the data directory. A snap may not access hidden folders. */
function canUseProfile(path: string): boolean {
  const real = realpathSync(path);
  return !real.startsWith('/snap/') && real !== '/usr/bin/snap';
}

/** Starts a browser. Returns null on failure. Exit code 0 means that a running browser took over the address. */
async function launchBrowser(
  { program, args }: BrowserCommand,
  env: BrowserEnvironment['env'],
  settled: Promise<void>,
): Promise<ChildProcess | null> {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...env } });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(child), LAUNCH_TIMEOUT_MS);
    const settle = (process: ChildProcess | null) => {
      clearTimeout(timer);
      resolve(process);
    };
    void settled.then(() => settle(child));
    child.once('error', () => settle(null));
    child.once('exit', (code) => settle(code === 0 ? child : null));
  });
}
