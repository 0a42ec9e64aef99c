import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { syncFolder } from '../shared/durable-file.ts';
import { BAGIT_FILE, MANIFEST_FILE, PAYLOAD_FOLDER, readManifestLine, TAG_MANIFEST_FILE } from './format.ts';
import { hashFile, readLines } from './reading.ts';
import { type BagTarget, DamagedSourceError, type ExportSourceFile, readSourcePieces } from './sink.ts';

/** Folder for partly written files, which never have a name of the bag. */
const PARTS = '.tieout-parts';
const CHUNK = 256 * 1024;

/**
 * Opens a folder as a BagIt target: a new or empty folder, or an earlier bag of ours, in which only new and changed files
 * are written. Throws `conflict` if the folder contains anything else or a link that leads out of it.
 */
export async function openFolderTarget(folder: string): Promise<BagTarget> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const parts = join(root, PARTS);
  /** An interrupted export has left files that no manifest lists yet. */
  const stopped = (await lstat(parts).catch(() => null)) !== null;
  // Its contents are deleted, so it must be a real folder inside this one.
  await refuseLink(parts);
  const before = await earlierFiles(root);
  if (!stopped) await refuseAlien(root, before);
  await mkdir(parts, { recursive: true });
  await emptyFolder(parts);
  /** Folders with new names to sync. */
  const changed = new Set<string>();
  let next = 0;

  const at = (path: string) => join(root, ...path.split('/'));

  /**
   * Creates a file's folder and checks that every step is a real folder. Checked again for each file, because a link may
   * be planted during the export.
   */
  async function makeFolder(path: string): Promise<void> {
    let made = root;
    for (const part of path.split('/').slice(0, -1)) {
      const parent = made;
      made = join(made, part);
      let stats = await lstat(made).catch(() => null);
      if (stats === null) {
        await mkdir(made).catch(ignoreExisting);
        changed.add(parent);
        stats = await lstat(made);
      }
      if (!stats.isDirectory()) throw contractError(strange(made, 'is not a folder'));
    }
  }

  /** Writes a file outside the bag's names, makes it durable, then gives it its name. */
  async function put<Result>(path: string, fill: (file: FileHandle) => Promise<Result>): Promise<Result> {
    const part = join(parts, String(next++));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    await refuseLink(parts);
    let file: FileHandle | null = await open(part, flags, 0o644);
    try {
      const result = await fill(file);
      await file.sync();
      await file.close();
      file = null;
      await makeFolder(path);
      await refuseLink(at(path));
      await rename(part, at(path));
      changed.add(dirname(at(path)));
      return result;
    } catch (error) {
      await file?.close().catch(() => undefined);
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Throws if somebody has changed the file since it was exported, so that their work is not overwritten. */
  async function refuseChanged(path: string): Promise<void> {
    const listed = before.get(path);
    if (stopped || listed === undefined) return;
    const stored = await hashFile(at(path)).catch(() => null);
    if (stored !== null && stored.sha256 !== listed)
      throw contractError(strange(at(path), 'was changed since it was exported'));
  }

  return {
    async copy(file) {
      await makeFolder(file.path);
      if (await isStored(at(file.path), file)) return 'unchanged';
      await refuseChanged(file.path);
      await put(file.path, (target) => copyChecked(file, target));
      return 'written';
    },
    async write(path, content) {
      const hash = createHash('sha256');
      let bytes = 0;
      await refuseChanged(path);
      await put(path, async (target) => {
        for (const piece of inWriteBuffers(content)) {
          hash.update(piece);
          bytes += piece.length;
          await target.write(piece);
        }
      });
      return { path, sha256: hash.digest('hex'), bytes };
    },
    async *earlier(isNow) {
      for await (const path of payloadOf(root)) {
        if (isNow(path)) continue;
        await refuseChanged(path);
        yield { path, ...(await hashFile(at(path))) };
      }
    },
    async finish() {
      for (const each of changed) syncFolder(each);
      // The marker of a running export is deleted last.
      await rm(parts, { recursive: true, force: true });
      syncFolder(root);
    },
    async abandon() {
      // The empty folder stays as the marker of an unfinished export.
      await emptyFolder(parts);
    },
  };
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Yields every file of a bag's payload, folder by folder in order of names. Throws `conflict` for a link. */
async function* payloadOf(
  root: string,
  path = PAYLOAD_FOLDER.slice(0, -1),
): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(join(root, ...path.split('/')), { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* payloadOf(root, inner);
    else if (entry.isFile()) yield inner;
    else throw contractError(strange(join(root, inner), 'is a link, which could lead anywhere'));
  }
}

async function refuseAlien(root: string, listed: ReadonlyMap<string, string>): Promise<void> {
  for await (const path of payloadOf(root)) {
    if (!listed.has(path)) throw contractError(strange(join(root, path), 'is not of an export'));
  }
}

/**
 * Returns the payload listed by an earlier bag in this folder. Throws `conflict` if the folder contains anything else.
 */
async function earlierFiles(root: string): Promise<Map<string, string>> {
  const listed = new Map<string, string>();
  const names = (await readdir(root)).filter((name) => name !== PARTS);
  if (names.length === 0) return listed;
  const tags = new Set([
    BAGIT_FILE,
    MANIFEST_FILE,
    TAG_MANIFEST_FILE,
    'bag-info.txt',
    PAYLOAD_FOLDER.slice(0, -1),
  ]);
  const alien = names.find((name) => !tags.has(name));
  if (alien !== undefined) throw contractError(strange(join(root, alien), 'is not of an export'));
  for (const name of names) await refuseLink(join(root, name));
  if (names.includes(MANIFEST_FILE)) {
    for await (const line of readLines(join(root, MANIFEST_FILE))) {
      const file = readManifestLine(line);
      if (file !== null && isInside(file.path)) listed.set(file.path, file.sha256);
    }
  }
  return listed;
}

/** Returns true if a manifest's path is inside the payload. */
const isInside = (path: string): boolean =>
  path.startsWith(PAYLOAD_FOLDER) &&
  !path.split('/').some((part) => part === '' || part === '.' || part === '..');

async function isStored(place: string, file: ExportSourceFile): Promise<boolean> {
  const stats = await lstat(place).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) throw contractError(strange(place, 'is in the way: it is no file'));
  if (stats.size !== file.bytes) return false;
  return (await hashFile(place)).sha256 === file.sha256;
}

async function copyChecked(file: ExportSourceFile, target: FileHandle): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of readSourcePieces(file)) {
    hash.update(piece);
    await target.write(piece);
  }
  if (hash.digest('hex') !== file.sha256)
    throw new DamagedSourceError(`${file.path}: its bytes are not those that were archived`);
}

/** Yields the content in buffers of a suitable size for writing. */
export function* inWriteBuffers(content: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let waiting = '';
  for (const piece of content) {
    if (typeof piece === 'string') waiting += piece;
    if (waiting.length >= CHUNK || (typeof piece !== 'string' && waiting !== '')) {
      yield Buffer.from(waiting);
      waiting = '';
    }
    if (typeof piece !== 'string') yield piece;
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

async function refuseLink(place: string): Promise<void> {
  const stats = await lstat(place).catch(() => null);
  if (stats?.isSymbolicLink()) throw contractError(strange(place, 'is a link, which could lead anywhere'));
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function strange(place: string, what: string) {
  return {
    code: 'conflict' as const,
    message: `${place} ${what}.`,
    hint: 'Nothing was overwritten. Choose an empty folder, or that of an earlier export as it was written.',
    retryable: false,
    detail: { path: place },
  };
}
