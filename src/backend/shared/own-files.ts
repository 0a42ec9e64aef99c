import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns true if a folder is in the app's data directory, or would be once created. Compares file identities, so that
 * links and different letter case do not matter. Site folders may be links to another disk.
 */
export function isOwnFolder(folder: string, home: string): boolean {
  const own = new Set(
    [home, ...listEntries(join(home, 'sites'))].flatMap((path) => identify(path)?.key ?? []),
  );
  for (let at = folder; ; at = dirname(at)) {
    const found = identify(at);
    if (found !== null && own.has(found.key)) return true;
    if (dirname(at) === at) return false;
  }
}

/** Returns true if a file outside the data directory is a hard link to a file in the data directory. */
export function isOwnFile(path: string, home: string): boolean {
  const found = identify(path);
  return found !== null && found.names > 1 && contains(home, found.key);
}

function contains(folder: string, key: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some(
    (entry) => entry.isFile() && identify(join(entry.parentPath, entry.name))?.key === key,
  );
}

/** Returns a key that identifies a file under all of its names, and the number of names. Null for a missing file. */
function identify(path: string): { key: string; names: number } | null {
  try {
    const { dev, ino, nlink } = statSync(path, { bigint: true });
    return { key: `${dev}:${ino}`, names: Number(nlink) };
  } catch {
    return null;
  }
}

function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
