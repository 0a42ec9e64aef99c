import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Place } from '../../contract/index.ts';

/** Maximum number of names returned per folder. */
const MOST = 500;

/** Lists a folder of this computer, or its nearest readable parent. Without a path, lists the user's documents folder. */
export async function listFolder(path: string | undefined): Promise<Place> {
  for (let at = path !== undefined && isAbsolute(path) ? resolve(path) : usualPlace(); ; at = dirname(at)) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => null);
    if (entries === null && dirname(at) !== at) continue;
    const names = { folders: [] as string[], files: [] as string[] };
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue;
      const kind = entry.isSymbolicLink() ? await stat(join(at, entry.name)).catch(() => null) : entry;
      if (kind?.isDirectory()) names.folders.push(entry.name);
      else if (kind?.isFile() && /\.zip$/i.test(entry.name)) names.files.push(entry.name);
    }
    const folders = sorted(names.folders);
    const files = sorted(names.files);
    const disk = await statfs(at).catch(() => null);
    return {
      path: at,
      parent: dirname(at) === at ? null : dirname(at),
      folders: folders.slice(0, MOST),
      files: files.slice(0, MOST),
      bag: existsSync(join(at, 'bagit.txt')),
      more: Math.max(0, folders.length - MOST) + Math.max(0, files.length - MOST),
      free_bytes: disk === null ? null : disk.bavail * disk.bsize,
    };
  }
}

function usualPlace(): string {
  const documents = join(homedir(), 'Documents');
  return existsSync(documents) ? documents : homedir();
}

const order = new Intl.Collator('en', { numeric: true });
const sorted = (names: string[]): string[] => names.sort(order.compare);
