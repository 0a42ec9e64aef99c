import { userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Blobs, createBlobs } from './blobs.ts';
import { prepareHome } from './home.ts';
import { createKeychain, type Keychain, loadVaults } from './keychain.ts';
import type { Log, LogFile } from './logging.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { createShell, type Shell } from './shell.ts';

/** What a shell's entry says when it opens the app's data. */
export interface HostOptions {
  /** The data directory; made where it is not there. */
  readonly home: string;
  readonly version: string;
  /** `TIEOUT_API_KEY`, for machines without a keychain. */
  readonly fallbackKey?: string | undefined;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
}

/** What stands on the shell's side whether the backend runs in threads or in this process. */
export interface Ground {
  /** The real path of the data directory. */
  readonly home: string;
  /** The user of this computer, as the system names him; undefined where it does not. */
  readonly user: string | undefined;
  readonly redactor: Redactor;
  readonly keychain: Keychain;
  readonly blobs: Blobs;
  readonly shell: Shell;
  readonly log: Log;
  close(): Promise<void>;
}

/** @throws `storage` where the home directory cannot be used. */
export function prepare(options: HostOptions): Ground {
  // Of all threads: what lived a little longer and is needed no more is swept up before it takes as much room as what is kept.
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

/** A user without an entry in the system's list, as in some containers, has no name. */
function systemUser(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    return undefined;
  }
}

/** A log that is opened by its first line: a command that has nothing to say loads no logger. */
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
