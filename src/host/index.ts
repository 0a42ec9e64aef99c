/**
 * What every shell needs: the data directory, the keychain, the backend's threads, one-time files, the demo, the log.
 * Electron and the browser host start it with threads (`startHost`); the command line runs it in its own process
 * (`openInProcess`).
 */
import type { MessagePort } from 'node:worker_threads';
import type { Client, Thread } from '../contract/index.ts';
import type { Blobs } from './blobs.ts';
import { createDemo, type Demo } from './demo.ts';
import type { Keychain } from './keychain.ts';
import type { Log } from './logging.ts';
import { ownClient } from './ports.ts';
import { type HostOptions, prepare } from './prepare.ts';
import { startThreads } from './threads.ts';

export type { Blobs, Offered } from './blobs.ts';
export { DEMO_MONTH, type Demo, type DemoFile } from './demo.ts';
export { homeOf, logFileOf, prepareHome, type Surroundings } from './home.ts';
export { type InProcess, openInProcess } from './in-process.ts';
export type { Keychain } from './keychain.ts';
export type { Log, LogRecord } from './logging.ts';
export { openPages, type Page, type Pages } from './pages.ts';
export { pageHeaders, policyFor } from './policy.ts';
export type { HostOptions } from './prepare.ts';
export { type Pipe, portPipe, relay } from './relay.ts';

export interface Host {
  /** Real path of the data directory. */
  readonly home: string;
  readonly version: string;
  /** Opens a port to a thread for one page. It closes when the thread crashes; then connect again. */
  connect(thread: Thread): MessagePort;
  /** For the shell's own calls. */
  readonly client: Client;
  readonly blobs: Blobs;
  readonly keychain: Keychain;
  /** Null if the shell passed no sandbox. */
  readonly demo: Demo | null;
  readonly log: Log;
  /** Removes keys from text before it is shown. */
  redact(text: string): string;
  /** Stops the demo and the threads after pending writes, then the log. May be called twice. */
  close(): Promise<void>;
}

export interface StartOptions extends HostOptions {
  /** Worker entry of the embedded sandbox. */
  readonly sandboxEntry?: URL;
  /** Worker entries of the threads. By default, the backend's own. */
  readonly entries?: Record<Thread, URL>;
}

/**
 * Opens the app's data and starts the backend's threads.
 * @throws `storage` if the data directory cannot be used, and the error of a thread that does not start
 */
export async function startHost(options: StartOptions): Promise<Host> {
  const ground = prepare(options);
  const { home, keychain, blobs, shell, log } = ground;
  // Loads the keychain's native code now, while no other thread can be loading native code.
  await keychain.warm();
  const threads = await startThreads({
    entries: options.entries ?? (await backendEntries()),
    home,
    version: options.version,
    logLevel: options.logLevel ?? 'info',
    user: ground.user,
    serveShell: shell.serve,
    log,
  });
  const client = ownClient(threads.connect);
  const entry = options.sandboxEntry;
  const demo = entry ? createDemo({ home, entry, client, keychain, log }) : null;
  log({ level: 'info', msg: 'Started.', version: options.version, platform: process.platform });

  let closing: Promise<void> | undefined;
  async function close() {
    await demo?.close();
    await threads.close();
    log({ level: 'info', msg: 'Closed.' });
    await ground.close();
  }
  return {
    home,
    version: options.version,
    connect: threads.connect,
    client,
    blobs,
    keychain,
    demo,
    log,
    redact: ground.redactor.redact,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function backendEntries(): Promise<Record<Thread, URL>> {
  const { threadEntryUrl } = await import('../backend/index.ts');
  return { reader: threadEntryUrl('reader'), writer: threadEntryUrl('writer') };
}
