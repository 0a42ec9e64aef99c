import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { formatBytes } from '../output/format-values.ts';
import type { DownloadProgress } from './electron-download.ts';
import {
  DOWNLOAD_FAILURE_FILE,
  deleteDownloadFailure,
  findRecentDownloadFailure,
  recordDownloadFailure,
} from './electron-download-failure.ts';
import { findElectronPackage, findElectronProgram, type ProcessEnvironment } from './electron-program.ts';

interface EnsureElectronOptions {
  readonly env: ProcessEnvironment;
  /** Aborts the download. */
  readonly stop: AbortSignal;
  /** True to retry the download even after a recent failure. */
  readonly retry: boolean;
  /** File that records a failed download. */
  readonly failureFile?: string;
}

/**
 * Downloads Electron if it is missing. Returns null, or the reason why Electron is not available. After a failed
 * download, does not retry for a day, so that starts do not wait for an unreachable server.
 */
export async function ensureElectron({
  env,
  stop,
  retry,
  failureFile = DOWNLOAD_FAILURE_FILE,
}: EnsureElectronOptions): Promise<string | null> {
  if (findElectronProgram(env)) return null;
  const failure = retry ? null : findRecentDownloadFailure(failureFile);
  if (failure) return `${failure}. To try the download again, run: npm start -- --electron`;
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
  if (reason === null) deleteDownloadFailure(failureFile);
  else if (!skipController.signal.aborted && !stop.aborted) recordDownloadFailure(reason, failureFile);
  return reason;
}

export function formatDownloadProgress({ transferred, total }: DownloadProgress): string {
  const share = total ? ` of ${formatBytes(total)} (${Math.floor((transferred / total) * 100)} %)` : '';
  return `Downloading Electron: ${formatBytes(transferred)}${share}`;
}

/** Maximum milliseconds without received data before the download is aborted. Chosen by judgment. */
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
  const child = fork(script, [findElectronPackage() ?? '', env['electron_config_cache'] ?? ''], {
    env: createDownloadEnvironment(env),
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
  return code === 0 && findElectronProgram(env) ? null : (reason ?? extractReason(errorOutput));
}

/** Returns the error message from the child process's output, without the stack trace. */
function extractReason(errorOutput: string): string {
  const line = /(?:Error|error): (.+)/.exec(errorOutput)?.[1] ?? errorOutput.trim().split('\n')[0];
  return line ? `the download failed: ${line.slice(0, 200)}` : 'the download failed';
}

/** Returns the environment for the download, with the proxy settings of npm and the system. */
export function createDownloadEnvironment(env: ProcessEnvironment): Record<string, string | undefined> {
  const httpsProxy = env['HTTPS_PROXY'] || env['https_proxy'] || env['npm_config_https_proxy'];
  const httpProxy = env['HTTP_PROXY'] || env['http_proxy'] || env['npm_config_proxy'];
  if (!httpsProxy && !httpProxy) return { ...env };
  const noProxy = env['NO_PROXY'] || env['no_proxy'] || env['npm_config_noproxy'];
  return {
    ...env,
    ELECTRON_GET_USE_PROXY: 'true',
    HTTPS_PROXY: httpsProxy || httpProxy,
    ...(httpProxy && { HTTP_PROXY: httpProxy }),
    ...(noProxy && { NO_PROXY: noProxy }),
  };
}
