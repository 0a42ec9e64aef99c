import { type Dirent, existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FolderListing } from '../../contract/index.ts';

/** Maximum number of folder names returned, and of file names. Chosen by judgment. */
const MAX_NAMES = 500;

/**
 * Lists the folders and ZIP files in a folder of this computer, or in its nearest readable parent. Without a path, lists
 * the user's documents folder.
 */
export async function listFolderEntries(path: string | undefined): Promise<FolderListing> {
  const start = path !== undefined && isAbsolute(path) ? resolve(path) : defaultFolder();
  const { folder, entries } = await readNearestFolder(start);
  const names = { folders: [] as string[], files: [] as string[] };
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const kind = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => null) : entry;
    if (kind?.isDirectory()) names.folders.push(entry.name);
    else if (kind?.isFile() && /\.zip$/i.test(entry.name)) names.files.push(entry.name);
  }
  const folders = names.folders.sort(order.compare);
  const files = names.files.sort(order.compare);
  const disk = await statfs(folder).catch(() => null);
  return {
    path: folder,
    parent: dirname(folder) === folder ? null : dirname(folder),
    folders: folders.slice(0, MAX_NAMES),
    files: files.slice(0, MAX_NAMES),
    bag: existsSync(join(folder, 'bagit.txt')),
    more: Math.max(0, folders.length - MAX_NAMES) + Math.max(0, files.length - MAX_NAMES),
    free_bytes: disk === null ? null : disk.bavail * disk.bsize,
  };
}

/** Reads a folder, or its nearest readable parent. Returns no entries if not even the root is readable. */
async function readNearestFolder(start: string): Promise<{ folder: string; entries: Dirent[] }> {
  for (let folder = start; ; folder = dirname(folder)) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (entries !== null || dirname(folder) === folder) return { folder, entries: entries ?? [] };
  }
}

function defaultFolder(): string {
  const documents = join(homedir(), 'Documents');
  return existsSync(documents) ? documents : homedir();
}

const order = new Intl.Collator('en', { numeric: true });
