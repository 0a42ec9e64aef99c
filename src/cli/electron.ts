import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './built.ts';
import type { Downloaded } from './electron-download.ts';
import { size } from './output/figures.ts';

/** Why Electron is not used here, in words; null where it can be tried. */
export function reasonAgainstElectron(given: {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  root: boolean;
}): string | null {
  const { env, platform } = given;
  const unix = platform !== 'win32' && platform !== 'darwin';
  if (unix && !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return 'there is no display';
  if (unix && given.root) return 'it does not run as root';
  if (electronFolder() === null) return 'it is not installed';
  if (env['ELECTRON_SKIP_BINARY_DOWNLOAD'] && !electronBinary()) return 'its download is switched off';
  return null;
}

/** Electron's program, where it was downloaded already. */
export function electronBinary(): string | null {
  const folder = electronFolder();
  if (!folder) return null;
  const note = join(folder, 'path.txt');
  if (!existsSync(note)) return null;
  const program = join(folder, 'dist', readFileSync(note, 'utf8').trim());
  return existsSync(program) ? program : null;
}

/** The package, found without loading it: it downloads its program when it is loaded. */
function electronFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** Makes sure of Electron's program, downloading it with progress on the terminal. Null when it is there, else why it is not. */
export async function obtainElectron(given: {
  env: Readonly<Record<string, string | undefined>>;
  stop: AbortSignal;
}): Promise<string | null> {
  if (electronBinary()) return null;
  const { stdin, stderr } = process;
  const skipping = new AbortController();
  const skip = () => skipping.abort();
  stderr.write(
    `Electron is downloaded once${stdin.isTTY ? '; press Enter to open in the browser instead' : ''}.\n`,
  );
  if (stdin.isTTY) stdin.once('data', skip);
  const progress = (downloaded: Downloaded | null) => {
    const line = downloaded ? progressLine(downloaded) : 'Unpacking Electron…';
    if (stderr.isTTY) stderr.write(`\r\u001b[2K${line}`);
  };
  const why = await downloadElectron({
    env: given.env,
    progress,
    skip: AbortSignal.any([skipping.signal, given.stop]),
  });
  stdin.off('data', skip).pause();
  if (stderr.isTTY) stderr.write('\r\u001b[2K');
  return why;
}

export function progressLine({ transferred, total }: Downloaded): string {
  const share = total ? ` of ${size(total)} (${Math.floor((transferred / total) * 100)} %)` : '';
  return `Downloading Electron: ${size(transferred)}${share}`;
}

/** So long may a download stand still. */
const PATIENCE_MS = 15_000;

/** Downloads Electron's program into its package, telling how far it is. Null when it is there, else why it is not. */
export async function downloadElectron(given: {
  env: Readonly<Record<string, string | undefined>>;
  progress: (downloaded: Downloaded | null) => void;
  skip: AbortSignal;
}): Promise<string | null> {
  const { env, progress, skip } = given;
  const script = fileURLToPath(new URL('./electron-download.ts', import.meta.url));
  const child = fork(script, [electronFolder() ?? '', env['electron_config_cache'] ?? ''], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let why: string | null = null;
  const end = (reason: string) => {
    why ??= reason;
    child.kill();
  };
  const watch = () => setTimeout(end, PATIENCE_MS, 'the download stood still');
  let stall = watch();
  child.on('message', (downloaded: Downloaded | null) => {
    clearTimeout(stall);
    if (downloaded) stall = watch();
    progress(downloaded);
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const skipped = () => end('its download was skipped');
  skip.addEventListener('abort', skipped, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(stall);
  skip.removeEventListener('abort', skipped);
  return code === 0 && electronBinary() ? null : (why ?? reasonIn(printed));
}

/** The sentence of a failure, without its stack. */
function reasonIn(printed: string): string {
  const line = /(?:Error|error): (.+)/.exec(printed)?.[1] ?? printed.trim().split('\n')[0];
  return line ? `the download failed: ${line.slice(0, 200)}` : 'the download failed';
}

/** Runs the built app in Electron; resolves with its exit code. */
export async function runElectron(given: {
  env: Readonly<Record<string, string | undefined>>;
  stop: AbortSignal;
}): Promise<number> {
  const child: ChildProcess = spawn(electronBinary() ?? '', [root], {
    stdio: 'inherit',
    env: { ...given.env },
  });
  const end = () => child.kill('SIGTERM');
  given.stop.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  given.stop.removeEventListener('abort', end);
  return code ?? 0;
}
