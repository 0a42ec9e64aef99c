import { mkdirSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { ShellEnvironment } from '../../host/home-folder.ts';

/**
 * Creates and returns the folder of Node's compile cache. Null if the folder cannot be used safely. Cached code is
 * executed, so the folder is in the user's own cache directory and must not be writable by other users.
 */
export function prepareCompileCacheFolder(
  surroundings: ShellEnvironment,
  userId = process.getuid?.(),
): string | null {
  const folder = cacheFolderPath(surroundings);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (userId === undefined) return folder;
    const { uid, mode } = statSync(folder);
    return uid === userId && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
}

function cacheFolderPath({ env, platform, homedir }: ShellEnvironment): string {
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || win32.join(homedir, 'AppData', 'Local');
    return win32.join(local, 'Tieout', 'Cache', 'compiled');
  }
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Caches', 'Tieout', 'compiled');
  const configured = env['XDG_CACHE_HOME'];
  // The XDG specification requires programs to ignore relative paths.
  const cache = configured && posix.isAbsolute(configured) ? configured : posix.join(homedir, '.cache');
  return posix.join(cache, 'tieout', 'compiled');
}
