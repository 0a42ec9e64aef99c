import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatBytes } from '../output/format-values.ts';
import { appRoot } from '../runtime/app-paths.ts';
import type { DownloadProgress } from './electron-download.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns the reason why Electron cannot be used on this computer; null if there is none. */
export function findElectronObstacle({
  env,
  platform,
  root,
}: {
  env: ProcessEnvironment;
  platform: NodeJS.Platform;
  root: boolean;
}): string | null {
  const isUnix = platform !== 'win32' && platform !== 'darwin';
  if (isUnix && !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return 'no display is available';
  if (isUnix && root) return 'Electron does not run as root';
  if (findElectronFolder() === null) return 'Electron is not installed';
  if (env['ELECTRON_SKIP_BINARY_DOWNLOAD'] && !findElectronBinary()) return 'its download is disabled';
  return null;
}

/** Returns the path of Electron's executable; null if it has not been downloaded. */
export function findElectronBinary(): string | null {
  const folder = findElectronFolder();
  if (!folder) return null;
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const program = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(program) ? program : null;
}

/** Returns the folder of the Electron package without importing it, because an import starts the download. */
function findElectronFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

interface ElectronOptions {
  readonly env: ProcessEnvironment;
  /** Signal that ends the download or the app. */
  readonly stop: AbortSignal;
}

/** Downloads Electron if it is missing. Returns null, or the reason why Electron is not available. */
export async function ensureElectron({ env, stop }: ElectronOptions): Promise<string | null> {
  if (findElectronBinary()) return null;
  const { stdin, stderr } = process;
  const skipController = new AbortController();
  const skip = () => skipController.abort();
  stderr.write(
    `Downloading Electron (first start only)${stdin.isTTY ? '. Press Enter to open the app in the browser instead' : ''}.\n`,
  );
  if (stdin.isTTY) stdin.once('data', skip);
  const progress = (downloaded: DownloadProgress | null) => {
    const line = downloaded ? formatDownloadProgress(downloaded) : 'Unpacking Electron…';
    if (stderr.isTTY) stderr.write(`\r\u001b[2K${line}`);
  };
  const reason = await downloadElectron({
    env,
    progress,
    skip: AbortSignal.any([skipController.signal, stop]),
  });
  stdin.off('data', skip).pause();
  if (stderr.isTTY) stderr.write('\r\u001b[2K');
  return reason;
}

export function formatDownloadProgress({ transferred, total }: DownloadProgress): string {
  const share = total ? ` of ${formatBytes(total)} (${Math.floor((transferred / total) * 100)} %)` : '';
  return `Downloading Electron: ${formatBytes(transferred)}${share}`;
}

/** Maximum time without received data before the download is aborted. */
const STALL_TIMEOUT_MS = 15_000;

/** Downloads Electron into its package. Returns null, or the reason why the download failed. */
export async function downloadElectron({
  env,
  progress,
  skip,
}: {
  env: ProcessEnvironment;
  progress: (downloaded: DownloadProgress | null) => void;
  skip: AbortSignal;
}): Promise<string | null> {
  const script = fileURLToPath(new URL('./electron-download.ts', import.meta.url));
  const child = fork(script, [findElectronFolder() ?? '', env['electron_config_cache'] ?? ''], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let reason: string | null = null;
  const stop = (why: string) => {
    reason ??= why;
    child.kill();
  };
  const startTimer = () => setTimeout(stop, STALL_TIMEOUT_MS, 'the download stalled');
  let stallTimer = startTimer();
  child.on('message', (downloaded: DownloadProgress | null) => {
    clearTimeout(stallTimer);
    if (downloaded) stallTimer = startTimer();
    progress(downloaded);
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  const onSkip = () => stop('its download was skipped');
  skip.addEventListener('abort', onSkip, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(stallTimer);
  skip.removeEventListener('abort', onSkip);
  return code === 0 && findElectronBinary() ? null : (reason ?? extractReason(errorOutput));
}

/** Returns the error message from the child process's output, without the stack trace. */
function extractReason(errorOutput: string): string {
  const line = /(?:Error|error): (.+)/.exec(errorOutput)?.[1] ?? errorOutput.trim().split('\n')[0];
  return line ? `the download failed: ${line.slice(0, 200)}` : 'the download failed';
}

/** Runs the built app in Electron and returns the exit code. */
export async function runElectron({ env, stop }: ElectronOptions): Promise<number> {
  const child: ChildProcess = spawn(findElectronBinary() ?? '', [appRoot], {
    stdio: 'inherit',
    env: { ...env },
  });
  const terminate = () => child.kill('SIGTERM');
  stop.addEventListener('abort', terminate, { once: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  stop.removeEventListener('abort', terminate);
  return code ?? 0;
}
