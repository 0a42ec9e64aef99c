import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join, posix, resolve, win32 } from 'node:path';
import { contractError } from '../contract/contract-error.ts';

/** What a shell's entry tells of its surroundings; nothing below the entries reads the environment itself. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's own folder. */
  readonly homedir: string;
}

/** Where the data lives: `named` (`--home`), else `TIEOUT_HOME`, else the platform's place for an app's data. */
export function homeOf({ env, platform, homedir }: Surroundings, named?: string): string {
  const chosen = named || env['TIEOUT_HOME'];
  if (chosen) return resolve(chosen);
  if (platform === 'win32') {
    return win32.join(env['LOCALAPPDATA'] || win32.join(homedir, 'AppData', 'Local'), 'Tieout');
  }
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Application Support', 'Tieout');
  return posix.join(env['XDG_DATA_HOME'] || posix.join(homedir, '.local', 'share'), 'tieout');
}

/**
 * Makes the home directory, readable by its owner alone, and gives its real path.
 * @throws `storage` where it cannot be made or is not the user's own.
 */
export function prepareHome(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Also where it was there before: what lies here is nobody else's to read.
    chmodSync(path, 0o700);
    for (const folder of ['logs', 'sites']) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw contractError({
      code: 'storage',
      message: `The data directory ${path} cannot be used: ${reasonOf(error)}.`,
      hint: 'Choose another with --home or TIEOUT_HOME, or make it yours to write.',
      retryable: false,
    });
  }
}

/** The log of a home: what a person is pointed to when something went wrong. */
export function logFileOf(home: string): string {
  return join(home, 'logs', 'tieout.log');
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'it belongs to another user',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EEXIST: 'there is a file of that name',
    ENOTDIR: 'there is a file in its path',
  };
  return reasons[code] ?? (code || 'it cannot be written');
}
