/* biome-ignore-all lint/suspicious/noConsole: prints messages for the person who runs the command */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * Programs that the tests need: Chromium, and on Linux OpenSSL, xmllint, zsh, fish and a Secret Service (D-Bus, gnome-keyring,
 * libsecret). `node test/tools.ts` uses installed programs, installs missing ones from Debian when run as root, and
 * otherwise prints the command to run and exits with 1.
 */
interface Tool {
  readonly name: string;
  /** Debian packages that contain the program. */
  readonly packages: readonly string[];
  find(): string | null;
}

const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const BROWSER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the Chromium for tests: `CHROMIUM_PATH`, the system's, or Playwright's. Null if there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  const candidates = [named, ...BROWSERS.map(findOnPath), ...BROWSER_PATHS, chromium.executablePath()];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Returns the path of a program found by its name, or null. */
export function findOnPath(program: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The program is not in this folder.
    }
  }
  return null;
}

function library(name: string): string | null {
  const listing = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  return listing.split('\n').find((line) => line.includes(name)) ?? null;
}

const browser: Tool = { name: 'Chromium', packages: ['chromium', 'fonts-liberation'], find: findChromium };
const secretService: readonly Tool[] = [
  { name: 'a D-Bus session', packages: ['dbus'], find: () => findOnPath('dbus-run-session') },
  {
    name: 'the Secret Service daemon',
    packages: ['gnome-keyring'],
    find: () => findOnPath('gnome-keyring-daemon'),
  },
  { name: 'libsecret', packages: ['libsecret-1-0'], find: () => library('libsecret-1.so.0') },
];

/** Signs time stamps and computes signatures, for comparison with the app's own. */
const openssl: Tool = { name: 'OpenSSL', packages: ['openssl'], find: () => findOnPath('openssl') };

/** Shells whose completion of `tieout` is tested. */
const completionShells: readonly Tool[] = ['zsh', 'fish'].map((name) => ({
  name,
  packages: [name],
  find: () => findOnPath(name),
}));

/** Validates the exports for auditors against their DTD. */
const xmlValidator: Tool = {
  name: 'xmllint',
  packages: ['libxml2-utils'],
  find: () => findOnPath('xmllint'),
};

const tools =
  process.platform === 'linux'
    ? [browser, openssl, ...secretService, ...completionShells, xmlValidator]
    : [browser];
const missing = () => tools.filter((tool) => tool.find() === null);

function isDebian(): boolean {
  return (
    findOnPath('apt-get') !== null &&
    /(^|\n)ID(_LIKE)?=.*debian/.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

function installMissing(): boolean {
  const wanted = missing();
  if (wanted.length === 0) return true;
  const names = wanted.map((tool) => tool.name).join(', ');
  const packages = wanted.flatMap((tool) => tool.packages);
  if (process.platform !== 'linux') {
    console.error(`The tests need ${names}. Install Google Chrome, or set CHROMIUM_PATH to a Chromium.`);
    return false;
  }
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (!isDebian() || process.getuid?.() !== 0) {
    console.error(`The tests need ${names}. On Debian or Ubuntu run:\n`);
    console.error(`  sudo apt-get update && sudo apt-get ${install.join(' ')}\n`);
    return false;
  }
  console.log(`Installing for the tests: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { stdio: ['ignore', 'ignore', 'inherit'], env });
  execFileSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const left = missing();
  for (const tool of left)
    console.error(`${tool.name} is still not found after installing ${tool.packages}.`);
  return left.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = installMissing() ? 0 : 1;
}
