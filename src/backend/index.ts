/**
 * Implementation of the contract. The reader answers queries; the writer runs commands and streams. Each runs in a
 * worker thread or in the caller's process.
 */
import type { BackendThread } from '../contract/index.ts';
import type { Backend, BackendStartOptions } from './shared/backend-start-options.ts';

export { readHookEnvironment } from './alerts/hook-environment.ts';
export type {
  Backend,
  BackendStartOptions,
  LogRecord,
  ShellClient,
  ShellLog,
} from './shared/backend-start-options.ts';
export type { SiteFile, StatusSnapshot } from './status-snapshot.ts';

/** Opens the reader in this process. Loaded on demand, because reading does not need the billing client. */
export async function openBackendReader(start: BackendStartOptions): Promise<Backend> {
  return (await import('./open-backend-reader.ts')).openBackendReader(start);
}

export async function openBackendWriter(start: BackendStartOptions): Promise<Backend> {
  return (await import('./open-backend-writer.ts')).openBackendWriter(start);
}

/** Loads the module that writes files chosen by the user. */
export function loadOutputWriter() {
  return import('./shared/output-file.ts');
}

/** Loads the module that reads a status snapshot without opening the backend. */
export function loadStatusSnapshot() {
  return import('./status-snapshot.ts');
}

/** Loads the repair of unreadable site files, which opens the books for writing. */
export function loadSiteFileRepair() {
  return import('./sites/repair-site-files.ts');
}

/** Returns the URL of a worker thread's entry file: the source file, or the built file if this file is built. */
export function getBackendThreadEntryUrl(thread: BackendThread): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${thread}.${extension}`, import.meta.url);
}
