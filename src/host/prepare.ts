import { userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Blobs, createBlobs } from './blobs.ts';
import { prepareHome } from './home.ts';
import { createKeychain, type Keychain, loadVaults } from './keychain.ts';
import type { Log, LogFile } from './logging.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { createShell, type Shell } from './shell.ts';

/** Start options from a shell's entry. */
export interface HostOptions {
  /** The data directory. Created if it does not exist. */
  readonly home: string;
  readonly version: string;
  /** `TIEOUT_API_KEY`, for machines without a keychain. */
  readonly fallbackKey?: string | undefined;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
}

/** The shell's services, whether the backend runs in threads or in this process. */
export interface Ground {
  /** Real path of the data directory. */
  readonly home: string;
  /** The system's name of the current user, or undefined. */
  readonly user: string | undefined;
  readonly redactor: Redactor;
  readonly keychain: Keychain;
  readonly blobs: Blobs;
  readonly shell: Shell;
  readonly log: Log;
  close(): Promise<void>;
}

/** @throws `storage` if the data directory cannot be used */
export function prepare(options: HostOptions): Ground {
  // Applies to all threads: limits heap growth, so that medium-lived objects are collected early.
  setFlagsFromString('--heap-growing-percent=30');
  const home = prepareHome(options.home);
  const redactor = createRedactor();
  const keychain = createKeychain({
    home,
    platform: process.platform,
    fallbackKey: options.fallbackKey,
    learn: redactor.learn,
    loadVaults: () => loadVaults(process.platform),
  });
  const blobs = createBlobs(home);
  const shell = createShell({ keychain, blobs });
  return {
    home,
    user: systemUser(),
    redactor,
    keychain,
    blobs,
    shell,
    ...lateLog(home, redactor, options.logLevel),
  };
}

/** Returns the user's name. A user without a system entry, as in some containers, has none. */
function systemUser(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    return undefined;
  }
}

/** Creates a log that is opened by its first line, so that most commands load no logger. */
function lateLog(home: string, redactor: Redactor, level: HostOptions['logLevel'] = 'info') {
  let file: Promise<LogFile> | undefined;
  let written: Promise<void> = Promise.resolve();
  const open = async () => (await import('./logging.ts')).openLog({ home, redactor, level });
  const log: Log = (record) => {
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
