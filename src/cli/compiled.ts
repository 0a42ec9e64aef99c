import { mkdirSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Surroundings } from '../host/home.ts';

/**
 * The folder that keeps compiled code for the next start: in the user's own cache, made where it is not there. What lies in it is
 * run, so it is not the system's common one, and none that somebody else may write to. Null where there is no such folder.
 */
export function compiledFolder(surroundings: Surroundings, user = process.getuid?.()): string | null {
  const folder = placeOf(surroundings);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (user === undefined) return folder;
    const { uid, mode } = statSync(folder);
    return uid === user && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
}

function placeOf({ env, platform, homedir }: Surroundings): string {
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || win32.join(homedir, 'AppData', 'Local');
    return win32.join(local, 'Tieout', 'Cache', 'compiled');
  }
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Caches', 'Tieout', 'compiled');
  const named = env['XDG_CACHE_HOME'];
  // As the standard has it, one that is not absolute is passed over.
  const cache = named && posix.isAbsolute(named) ? named : posix.join(homedir, '.cache');
  return posix.join(cache, 'tieout', 'compiled');
}
