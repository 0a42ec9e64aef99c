import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a small file atomically and durably. Only the current user can read the file. */
export function writeFileDurably(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolderToDisk(dirname(path));
}

/** Flushes a folder's file names to disk with fsync. Does nothing on Windows, which cannot flush folders. */
export function flushFolderToDisk(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
