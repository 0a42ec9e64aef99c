import { statfsSync } from 'node:fs';

/** Returns what a disk has run out of: space for bytes or for files (inodes). Returns null if it has both. */
export function findDiskShortage(path: string): 'bytes' | 'files' | null {
  try {
    const { bavail, files, ffree } = statfsSync(path);
    if (bavail === 0) return 'bytes';
    // Some file systems have no fixed number of files and report 0.
    return files > 0 && ffree === 0 ? 'files' : null;
  } catch {
    return null;
  }
}
