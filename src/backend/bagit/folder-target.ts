import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { syncFolder } from '../shared/durable-file.ts';
import {
  BAGIT_FILE,
  MANIFEST_FILE,
  PAYLOAD_FOLDER,
  readManifestLine,
  TAG_MANIFEST_FILE,
} from './bag-format.ts';
import { type BagTarget, DamagedSourceError, type ExportSourceFile, readSourcePieces } from './bag-target.ts';
import { hashFile, readLines } from './read-files.ts';

/** Folder for partly written files, so that they never appear under their final names. */
const PARTS_FOLDER = '.tieout-parts';
const WRITE_BUFFER_BYTES = 256 * 1024;

/**
 * Opens a folder as the target of a BagIt export. The folder must be new, empty, or an earlier export, in which only new
 * and changed files are written. Throws `conflict` if it contains anything else or a link that points outside.
 */
export async function openFolderTarget(folder: string): Promise<BagTarget> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const parts = join(root, PARTS_FOLDER);
  /** True if an interrupted export has left files that no manifest lists yet. */
  const wasInterrupted = (await lstat(parts).catch(() => null)) !== null;
  // The contents of this folder are deleted, so it must be a real folder, not a link to another one.
  await refuseLink(parts);
  const before = await readEarlierManifest(root);
  if (!wasInterrupted) await refuseForeignFiles(root, before);
  await mkdir(parts, { recursive: true });
  await emptyFolder(parts);
  /** Folders that contain new file names and must be flushed with fsync. */
  const changed = new Set<string>();
  let next = 0;

  const absolutePath = (path: string) => join(root, ...path.split('/'));

  /**
   * Creates a file's folder and checks that no part of its path is a link. Repeated for each file, because a link may be
   * created during the export.
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
      if (!stats.isDirectory()) throw contractError(folderConflictError(made, 'is not a folder'));
    }
  }

  /** Writes a file under a temporary name, flushes it to disk, then renames it. */
  async function writeAndRename<Result>(
    path: string,
    fill: (file: FileHandle) => Promise<Result>,
  ): Promise<Result> {
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
      await refuseLink(absolutePath(path));
      await rename(part, absolutePath(path));
      changed.add(dirname(absolutePath(path)));
      return result;
    } catch (error) {
      await file?.close().catch(() => undefined);
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Throws if the file was changed after it was exported, so that nobody's work is overwritten. */
  async function refuseChanged(path: string): Promise<void> {
    const listed = before.get(path);
    if (wasInterrupted || listed === undefined) return;
    const stored = await hashFile(absolutePath(path)).catch(() => null);
    if (stored !== null && stored.sha256 !== listed)
      throw contractError(folderConflictError(absolutePath(path), 'was changed since it was exported'));
  }

  return {
    async copy(file) {
      await makeFolder(file.path);
      if (await isUnchanged(absolutePath(file.path), file)) return 'unchanged';
      await refuseChanged(file.path);
      await writeAndRename(file.path, (target) => copyChecked(file, target));
      return 'written';
    },
    async write(path, content) {
      const hash = createHash('sha256');
      let bytes = 0;
      await refuseChanged(path);
      await writeAndRename(path, async (target) => {
        for (const piece of toWriteBuffers(content)) {
          hash.update(piece);
          bytes += piece.length;
          await target.write(piece);
        }
      });
      return { path, sha256: hash.digest('hex'), bytes };
    },
    async *earlierFiles(isNow) {
      for await (const path of walkPayload(root)) {
        if (isNow(path)) continue;
        await refuseChanged(path);
        yield { path, ...(await hashFile(absolutePath(path))) };
      }
    },
    async finish() {
      for (const each of changed) syncFolder(each);
      // Deletes the folder that marks a running export. This is the last step.
      await rm(parts, { recursive: true, force: true });
      syncFolder(root);
    },
    async abandon() {
      // The empty folder remains and marks the export as unfinished.
      await emptyFolder(parts);
    },
  };
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Yields all files of a bag's payload, folder by folder, sorted by name. Throws `conflict` for a link. */
async function* walkPayload(
  root: string,
  path = PAYLOAD_FOLDER.slice(0, -1),
): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(join(root, ...path.split('/')), { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* walkPayload(root, inner);
    else if (entry.isFile()) yield inner;
    else throw contractError(folderConflictError(join(root, inner), 'is a link, which could lead anywhere'));
  }
}

async function refuseForeignFiles(root: string, listed: ReadonlyMap<string, string>): Promise<void> {
  for await (const path of walkPayload(root)) {
    if (!listed.has(path)) throw contractError(folderConflictError(join(root, path), 'is not of an export'));
  }
}

/**
 * Returns the checksums by path from the manifest of an earlier bag in this folder. Throws `conflict` if the folder
 * contains anything else.
 */
async function readEarlierManifest(root: string): Promise<Map<string, string>> {
  const listed = new Map<string, string>();
  const names = (await readdir(root)).filter((name) => name !== PARTS_FOLDER);
  if (names.length === 0) return listed;
  const tags = new Set([
    BAGIT_FILE,
    MANIFEST_FILE,
    TAG_MANIFEST_FILE,
    'bag-info.txt',
    PAYLOAD_FOLDER.slice(0, -1),
  ]);
  const foreign = names.find((name) => !tags.has(name));
  if (foreign !== undefined)
    throw contractError(folderConflictError(join(root, foreign), 'is not of an export'));
  for (const name of names) await refuseLink(join(root, name));
  if (names.includes(MANIFEST_FILE)) {
    for await (const line of readLines(join(root, MANIFEST_FILE))) {
      const file = readManifestLine(line);
      if (file !== null && isInside(file.path)) listed.set(file.path, file.sha256);
    }
  }
  return listed;
}

/** Returns true if a path from a manifest is inside the payload folder. */
const isInside = (path: string): boolean =>
  path.startsWith(PAYLOAD_FOLDER) &&
  !path.split('/').some((part) => part === '' || part === '.' || part === '..');

async function isUnchanged(path: string, file: ExportSourceFile): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) throw contractError(folderConflictError(path, 'is in the way: it is no file'));
  if (stats.size !== file.bytes) return false;
  return (await hashFile(path)).sha256 === file.sha256;
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

/** Combines text pieces into buffers of a suitable size for writing. */
export function* toWriteBuffers(content: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let pending = '';
  for (const piece of content) {
    if (typeof piece === 'string') pending += piece;
    if (pending.length >= WRITE_BUFFER_BYTES || (typeof piece !== 'string' && pending !== '')) {
      yield Buffer.from(pending);
      pending = '';
    }
    if (typeof piece !== 'string') yield piece;
  }
  if (pending !== '') yield Buffer.from(pending);
}

async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isSymbolicLink())
    throw contractError(folderConflictError(path, 'is a link, which could lead anywhere'));
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function folderConflictError(path: string, what: string) {
  return {
    code: 'conflict' as const,
    message: `${path} ${what}.`,
    hint: 'Nothing was overwritten. Choose an empty folder, or that of an earlier export as it was written.',
    retryable: false,
    detail: { path: path },
  };
}
