import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createNonRetryableError } from '../../contract/index.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { createTimeSlices } from '../shared/time-slices.ts';
import { MANIFEST_FILE, PAYLOAD_FOLDER, parseManifestLine, TAG_FILES } from './bag-format.ts';
import {
  type BagTarget,
  DamagedSourceError,
  type ExportSourceFile,
  type GeneratedContent,
  readSourceChunks,
} from './bag-target.ts';
import { hashFile, readFileLines } from './hash-files.ts';

/** Folder for partly written files, so that they never appear under their final names. */
const PARTS_FOLDER = '.tieout-parts';
const PAYLOAD_FOLDER_NAME = PAYLOAD_FOLDER.slice(0, -1);
const WRITE_BUFFER_BYTES = 256 * 1024;

/**
 * Opens a folder as the target of a BagIt export. The folder must be new, empty, or an earlier export, in which only new
 * and changed files are written. Throws `conflict` if it contains anything else or a link that points outside.
 */
export async function openFolderTarget(folder: string): Promise<BagTarget> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const parts = join(root, PARTS_FOLDER);
  const wasInterrupted = (await lstat(parts).catch(() => null)) !== null;
  // Rejects a link, because the contents of this folder will be deleted.
  await rejectLink(parts);
  const earlierChecksums = await readEarlierManifest(root);
  if (!wasInterrupted) await rejectForeignFiles(root, earlierChecksums);
  await mkdir(parts, { recursive: true });
  await emptyFolder(parts);
  // After an interrupted export, files are not listed in a manifest, so there are no checksums to compare.
  return new FolderTarget(root, parts, wasInterrupted ? new Map() : earlierChecksums);
}

class FolderTarget implements BagTarget {
  readonly #root: string;
  readonly #parts: string;
  /** SHA-256 of each file of the earlier export, by path. */
  readonly #earlierChecksums: ReadonlyMap<string, string>;
  /** Folders that contain new file names and must be flushed with fsync. */
  readonly #changedFolders = new Set<string>();
  #partCount = 0;

  constructor(root: string, parts: string, earlierChecksums: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#parts = parts;
    this.#earlierChecksums = earlierChecksums;
  }

  async copy(file: ExportSourceFile) {
    await makeFileFolder(this.#root, file.path, this.#changedFolders);
    if (await isUnchanged(this.#toAbsolutePath(file.path), file)) return 'unchanged';
    await this.#rejectChangedFile(file.path);
    await this.#writeAndRename(file.path, (target) => copyAndVerify(file, target));
    return 'written';
  }

  async write(path: string, content: GeneratedContent) {
    const hash = createHash('sha256');
    let bytes = 0;
    await this.#rejectChangedFile(path);
    await this.#writeAndRename(path, async (target) => {
      for await (const piece of toWriteBuffers(content)) {
        hash.update(piece);
        bytes += piece.length;
        await target.write(piece);
      }
    });
    return { path, sha256: hash.digest('hex'), bytes };
  }

  async *earlierFiles(isInThisExport: (path: string) => boolean) {
    for await (const path of walkPayload(this.#root)) {
      if (isInThisExport(path)) continue;
      await this.#rejectChangedFile(path);
      yield { path, ...(await hashFile(this.#toAbsolutePath(path))) };
    }
  }

  async finish(): Promise<void> {
    for (const each of this.#changedFolders) flushFolderToDisk(each);
    // Deletes the parts folder last, because it marks the export as running.
    await rm(this.#parts, { recursive: true, force: true });
    flushFolderToDisk(this.#root);
  }

  /** Leaves an empty folder, which marks the export as unfinished. */
  abandon(): Promise<void> {
    return emptyFolder(this.#parts);
  }

  #toAbsolutePath(path: string): string {
    return join(this.#root, ...path.split('/'));
  }

  /** Writes a file under a temporary name, flushes it to disk and renames it. */
  async #writeAndRename(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    const part = join(this.#parts, String(this.#partCount++));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    await rejectLink(this.#parts);
    let file: FileHandle | null = await open(part, flags, 0o644);
    try {
      await fill(file);
      await file.sync();
      await file.close();
      file = null;
      await makeFileFolder(this.#root, path, this.#changedFolders);
      const target = this.#toAbsolutePath(path);
      await rejectLink(target);
      await rename(part, target);
      this.#changedFolders.add(dirname(target));
    } catch (error) {
      await file?.close().catch(() => undefined);
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Throws `conflict` if someone changed the file after it was exported, to avoid overwriting their work. */
  async #rejectChangedFile(path: string): Promise<void> {
    const expected = this.#earlierChecksums.get(path);
    if (expected === undefined) return;
    const target = this.#toAbsolutePath(path);
    const stored = await hashFile(target).catch(() => null);
    if (stored !== null && stored.sha256 !== expected)
      throw folderConflictError(target, 'has been changed since it was exported');
  }
}

/**
 * Creates a file's folder and records folders with new entries in `changedFolders`. Throws `conflict` if the path
 * contains a link. Runs for each file, because a link may be created during the export.
 */
async function makeFileFolder(root: string, path: string, changedFolders: Set<string>): Promise<void> {
  let folder = root;
  for (const name of path.split('/').slice(0, -1)) {
    const parent = folder;
    folder = join(folder, name);
    let stats = await lstat(folder).catch(() => null);
    if (stats === null) {
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      changedFolders.add(parent);
      stats = await lstat(folder);
    }
    if (!stats.isDirectory()) throw folderConflictError(folder, 'is not a folder');
  }
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Yields all files of a bag's payload, folder by folder, sorted by name. Throws `conflict` for a link. */
async function* walkPayload(
  root: string,
  folder = PAYLOAD_FOLDER_NAME,
): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(join(root, ...folder.split('/')), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walkPayload(root, path);
    else if (entry.isFile()) yield path;
    else throw linkError(join(root, path));
  }
}

async function rejectForeignFiles(root: string, listed: ReadonlyMap<string, string>): Promise<void> {
  for await (const path of walkPayload(root)) {
    if (!listed.has(path)) throw folderConflictError(join(root, path), 'is not part of an export');
  }
}

/**
 * Returns the checksums of an earlier export's bag, by path. Throws `conflict` if the folder contains anything else.
 */
async function readEarlierManifest(root: string): Promise<Map<string, string>> {
  const names = (await readdir(root)).filter((name) => name !== PARTS_FOLDER);
  const foreign = names.find((name) => name !== PAYLOAD_FOLDER_NAME && !TAG_FILES.includes(name));
  if (foreign !== undefined) throw folderConflictError(join(root, foreign), 'is not part of an export');
  for (const name of names) await rejectLink(join(root, name));
  const checksums = new Map<string, string>();
  if (names.includes(MANIFEST_FILE)) {
    for await (const line of readFileLines(join(root, MANIFEST_FILE))) {
      const file = parseManifestLine(line);
      if (file?.path.startsWith(PAYLOAD_FOLDER)) checksums.set(file.path, file.sha256);
    }
  }
  return checksums;
}

async function isUnchanged(path: string, file: ExportSourceFile): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) throw folderConflictError(path, 'has the name of an exported file, but is not a file');
  return stats.size === file.bytes && (await hashFile(path)).sha256 === file.sha256;
}

async function copyAndVerify(file: ExportSourceFile, target: FileHandle): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of readSourceChunks(file)) {
    hash.update(piece);
    await target.write(piece);
  }
  if (hash.digest('hex') !== file.sha256)
    throw new DamagedSourceError(`${file.path} does not match its checksum`);
}

/** Combines text pieces into buffers of a suitable size for writing. Computes the pieces in time slices. */
export async function* toWriteBuffers(
  content: GeneratedContent,
): AsyncGenerator<Uint8Array, void, undefined> {
  const slices = createTimeSlices(null);
  let pending = '';
  for (const piece of content) {
    if (slices.isOver()) await slices.next();
    if (piece === null) continue;
    if (typeof piece === 'string') pending += piece;
    if (pending.length >= WRITE_BUFFER_BYTES || (typeof piece !== 'string' && pending !== '')) {
      yield Buffer.from(pending);
      pending = '';
    }
    if (typeof piece !== 'string') yield piece;
  }
  if (pending !== '') yield Buffer.from(pending);
}

async function rejectLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isSymbolicLink()) throw linkError(path);
}

const linkError = (path: string) =>
  folderConflictError(path, 'is a link, which could lead outside the export folder');

const folderConflictError = (path: string, problem: string) =>
  createNonRetryableError(
    'conflict',
    `${path} ${problem}.`,
    'Nothing was overwritten. Choose an empty folder, or the unchanged folder of an earlier export.',
    { path },
  );
