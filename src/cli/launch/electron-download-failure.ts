import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appRoot } from '../runtime/app-paths.ts';

/** Milliseconds before the next download after a failure: one wait per working day. Chosen by judgment. */
const RETRY_AFTER_MS = 24 * 60 * 60_000;

export const DOWNLOAD_FAILURE_FILE = join(
  appRoot,
  'node_modules',
  '.cache',
  'tieout',
  'electron-download-failure.json',
);

/** Returns the reason and time of a download failure within the last day. Null if there is none. */
export function findRecentDownloadFailure(file = DOWNLOAD_FAILURE_FILE, now = Date.now()): string | null {
  try {
    const { reason, at } = JSON.parse(readFileSync(file, 'utf8')) as { reason: string; at: number };
    const age = now - at;
    if (typeof reason !== 'string' || !(age >= 0 && age < RETRY_AFTER_MS)) return null;
    return `${reason} (${new Date(at).toLocaleString()})`;
  } catch {
    return null;
  }
}

/** Records why the download failed. If the folder is not writable, the next start tries again. */
export function recordDownloadFailure(reason: string, file = DOWNLOAD_FAILURE_FILE, now = Date.now()): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ reason, at: now }));
  } catch {
    // Ignored: without a record of the failure, the next start tries the download again.
  }
}

export function deleteDownloadFailure(file = DOWNLOAD_FAILURE_FILE): void {
  rmSync(file, { force: true });
}
