/**
 * Services that every shell needs: the data directory, the keychain, the backend, one-time files, the demo and the log.
 * Electron and the browser host run the backend in threads; the command line runs it in its own process.
 */
import type { MessagePort } from 'node:worker_threads';
import type { BackendClient, BackendThread, MigrationProgress } from '../contract/index.ts';
import { startBackendThreads } from './backend-threads.ts';
import { createDemo, type RunningDemo } from './demo.ts';
import { createHostServices, type HostOptions } from './host-services.ts';
import type { Keychain } from './keychain.ts';
import type { LogWriter } from './log-file.ts';
import type { OneTimeFiles } from './one-time-files.ts';
import { createHostClient } from './port-link.ts';

export { DEMO_MONTH, type DemoFile, type RunningDemo } from './demo.ts';
export { createPortChannel, type FrameChannel, relayFrames } from './frame-relay.ts';
export { getLogFilePath, prepareHome, resolveHome, type ShellEnvironment } from './home-folder.ts';
export type { HostOptions } from './host-services.ts';
export { type InProcessHost, openInProcessHost } from './in-process-host.ts';
export type { Keychain } from './keychain.ts';
export type { LauncherMessage } from './launcher-message.ts';
export type { LogRecord, LogWriter } from './log-file.ts';
export type { OneTimeFile, OneTimeFiles } from './one-time-files.ts';
export { createPageHeaders, formatContentSecurityPolicy } from './page-response-headers.ts';
export {
  collectVersions,
  createFailedReport,
  type SelfCheck,
  type SelfCheckReport,
  type StartTimes,
} from './self-check-report.ts';
export { openWindowAssets, type WindowAsset, type WindowAssets } from './window-assets.ts';

export interface AppHost {
  /** Real path of the data directory. */
  readonly home: string;
  readonly version: string;
  /**
   * Opens a message port to a thread for one page. The port closes when the thread crashes; the page must then connect
   * again.
   */
  connect(thread: BackendThread): MessagePort;
  /** Client for the shell's own calls. */
  readonly client: BackendClient;
  readonly blobs: OneTimeFiles;
  /** Ends a thread as a crash would, for the self-check. It restarts after a delay. */
  killThread(thread: BackendThread): Promise<void>;
  readonly keychain: Keychain;
  /** Demo service and site; null if the shell did not pass a sandbox entry. */
  readonly demo: RunningDemo | null;
  readonly log: LogWriter;
  redact(text: string): string;
  /** Stops the demo and the threads after pending writes, then closes the log. May be called repeatedly. */
  close(): Promise<void>;
}

export interface StartHostOptions extends HostOptions {
  /** Entry file of the worker thread that runs the embedded sandbox, for the demo. */
  readonly sandboxEntry?: URL;
  /** Called while databases of an earlier version are migrated. */
  readonly onMigration?: (progress: MigrationProgress) => void;
  /** Worker entries of the backend's threads. Tests replace them. */
  readonly entries?: Record<BackendThread, URL>;
}

/**
 * Opens the data directory and starts the backend's threads.
 * @throws `storage` if the data directory cannot be used, and the error of a thread that does not start
 */
export async function startHost(options: StartHostOptions): Promise<AppHost> {
  const services = createHostServices(options);
  const { home, keychain, blobs, shell, log } = services;
  // Loads the keychain's native code now, before any thread can be loading native code.
  await keychain.loadNativeCode();
  const backend = await import('../backend/index.ts');
  const threads = await startBackendThreads({
    entries: options.entries ?? {
      reader: backend.getBackendThreadEntryUrl('reader'),
      writer: backend.getBackendThreadEntryUrl('writer'),
    },
    // Threads run the programs of alerts. They get no other variables, because one may contain a key.
    env: backend.readHookEnvironment(),
    home,
    version: options.version,
    logLevel: options.logLevel ?? 'info',
    user: services.user,
    serveShell: shell.serve,
    onMigration: options.onMigration,
    log,
  });
  const client = createHostClient(threads.connect);
  const entry = options.sandboxEntry;
  const demo = entry ? createDemo({ home, entry, client, keychain, log }) : null;
  log({ level: 'info', msg: 'Started.', version: options.version, platform: process.platform });

  let closing: Promise<void> | undefined;
  async function close() {
    await demo?.close();
    await threads.close();
    log({ level: 'info', msg: 'Closed.' });
    await services.close();
  }
  return {
    home,
    version: options.version,
    connect: threads.connect,
    killThread: threads.kill,
    client,
    blobs,
    keychain,
    demo,
    log,
    redact: services.redactor.redact,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
