import { statSync } from 'node:fs';

/** Returns the inode of a file, or 0 if the file does not exist. */
export function readInode(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
