import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join, posix, resolve, win32 } from 'node:path';
import { createNonRetryableError } from '../contract/shared/contract-error.ts';

/** Environment passed in by the entry of a shell. Other code does not read the environment itself. */
export interface ShellEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly homedir: string;
}

/** Returns the data directory: the one named by `--home`, or by `TIEOUT_HOME`, or the platform's default. */
export function resolveHome({ env, platform, homedir }: ShellEnvironment, requestedPath?: string): string {
  const chosen = requestedPath || env['TIEOUT_HOME'];
  if (chosen) return resolve(chosen);
  if (platform === 'win32') {
    return win32.join(env['LOCALAPPDATA'] || win32.join(homedir, 'AppData', 'Local'), 'Tieout');
  }
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Application Support', 'Tieout');
  return posix.join(env['XDG_DATA_HOME'] || posix.join(homedir, '.local', 'share'), 'tieout');
}

/**
 * Creates the data directory, readable only by its owner. Returns the directory's real path. @throws `storage` if the
 * directory cannot be created or does not belong to the user
 */
export function prepareHome(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Makes an existing directory private, too.
    chmodSync(path, 0o700);
    for (const folder of ['logs', 'sites']) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw createNonRetryableError(
      'storage',
      `The data directory ${path} cannot be used: ${describeHomeError(error)}.`,
      'Choose another with --home or TIEOUT_HOME, or make it writable.',
    );
  }
}

/** Returns the path of a home's log file, to which error messages refer. */
export const getLogFilePath = (home: string): string => join(home, 'logs', 'tieout.log');

function describeHomeError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'it belongs to another user',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EEXIST: 'a file with that name exists',
    ENOTDIR: 'a part of its path is a file',
  };
  return reasons[code] ?? (code || 'it cannot be written');
}
