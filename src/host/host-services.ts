import { userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { prepareHome } from './home-folder.ts';
import { createKeychain, loadKeychainImplementations } from './keychain.ts';
import type { LogWriter, OpenLogFile } from './log-file.ts';
import { createOneTimeFiles } from './one-time-files.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { createShell } from './shell-server.ts';

/** Start options passed by the entry of a shell. */
export interface HostOptions {
  /** Path of the data directory. Created if it does not exist. */
  readonly home: string;
  readonly version: string;
  /** Value of `TIEOUT_API_KEY`, used on machines without a keychain. */
  readonly fallbackKey?: string | undefined;
  /** Value of `TIEOUT_SHARED_KEY`, used on machines without a keychain. */
  readonly fallbackSharedKey?: string | undefined;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
}

/** Creates the services that do not depend on where the backend runs. Throws `storage` for an unusable directory. */
export function createHostServices(options: HostOptions) {
  // Limits the heap growth of all threads, so that medium-lived objects are collected early.
  setFlagsFromString('--heap-growing-percent=30');
  const home = prepareHome(options.home);
  const redactor = createRedactor();
  const keychain = createKeychain({
    home,
    platform: process.platform,
    fallbackKey: options.fallbackKey,
    fallbackSharedKey: options.fallbackSharedKey,
    onKey: redactor.addKey,
    loadVaults: () => loadKeychainImplementations(process.platform),
  });
  const blobs = createOneTimeFiles(home);
  const shell = createShell({ keychain, blobs });
  const lazyLog = createLazyLog(home, redactor, options.logLevel);
  return { home, user: findSystemUser(), redactor, keychain, blobs, shell, ...lazyLog };
}

/** Returns the user's name; undefined if the system has no entry for the user, as in some containers. */
function findSystemUser(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    return undefined;
  }
}

/** Creates a log that is opened by its first entry, because most commands log nothing and need no logger. */
function createLazyLog(home: string, redactor: Redactor, level: HostOptions['logLevel'] = 'info') {
  let file: Promise<OpenLogFile> | undefined;
  let written: Promise<void> = Promise.resolve();
  const open = async () => (await import('./log-file.ts')).openLogFile({ home, redactor, level });
  const log: LogWriter = (record) => {
    file ??= open();
    const opened = file;
    written = written.then(async () => (await opened).log(record)).catch(() => undefined);
  };
  const close = async () => {
    await written;
    (await file)?.close();
  };
  return { log, close };
}
