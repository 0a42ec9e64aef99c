import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { syncFolder } from '../sites/durable-file.ts';
import { BAGIT, MANIFEST, PAYLOAD, readManifestLine, TAG_MANIFEST } from './format.ts';
import { hashOfFile, linesOf } from './reading.ts';
import { type BagSink, DamagedSource, type SourceFile, sourcePieces } from './sink.ts';

/** Half-written files stand here, never under a name of the bag. */
const PARTS = '.tieout-parts';
const CHUNK = 256 * 1024;

/**
 * A bag as a folder: a new or empty one, or an earlier bag of ours, of which only what is new or different is written.
 * Throws `conflict` where the folder holds anything else, or a link that would lead out of it.
 */
export async function folderSink(folder: string): Promise<BagSink> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const parts = join(root, PARTS);
  /** An export that was stopped left files that no manifest lists yet. */
  const stopped = (await lstat(parts).catch(() => null)) !== null;
  // What stands in there is cleared away: it must be in this folder and nowhere else.
  await refuseLink(parts);
  const before = await earlierFiles(root);
  if (!stopped) await refuseAlien(root, before);
  await mkdir(parts, { recursive: true });
  await emptyFolder(parts);
  /** Folders that got new names. */
  const changed = new Set<string>();
  let next = 0;

  const at = (path: string) => join(root, ...path.split('/'));

  /**
   * Makes sure of the folder a file goes to: each step is a folder and no link. It is looked at anew for each file, as a link may be
   * planted while the export runs.
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

  /** Writes beside the bag, makes it durable, and only then gives it its name. */
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

  /** What somebody has worked on since it was exported is not overwritten. */
  async function refuseChanged(path: string): Promise<void> {
    const listed = before.get(path);
    if (stopped || listed === undefined) return;
    const held = await hashOfFile(at(path)).catch(() => null);
    if (held !== null && held.sha256 !== listed)
      throw contractError(strange(at(path), 'was changed since it was exported'));
  }

  return {
    async copy(file) {
      await makeFolder(file.path);
      if (await isHeld(at(file.path), file)) return 'kept';
      await refuseChanged(file.path);
      await put(file.path, (target) => copyChecked(file, target));
      return 'written';
    },
    async write(path, content) {
      const hash = createHash('sha256');
      let bytes = 0;
      await refuseChanged(path);
      await put(path, async (target) => {
        for (const piece of gathered(content)) {
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
        yield { path, ...(await hashOfFile(at(path))) };
      }
    },
    async finish() {
      for (const each of changed) syncFolder(each);
      // What tells of an export under way goes last.
      await rm(parts, { recursive: true, force: true });
      syncFolder(root);
    },
    async abandon() {
      // The empty folder stays, and tells the next one that this was not finished.
      await emptyFolder(parts);
    },
  };
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Every file of a bag's payload, folder by folder in the order of the names. Throws `conflict` for a link. */
async function* payloadOf(
  root: string,
  path = PAYLOAD.slice(0, -1),
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

/** The payload that an earlier bag in this folder lists. Throws `conflict` where the folder holds anything it does not. */
async function earlierFiles(root: string): Promise<Map<string, string>> {
  const listed = new Map<string, string>();
  const names = (await readdir(root)).filter((name) => name !== PARTS);
  if (names.length === 0) return listed;
  const tags = new Set([BAGIT, MANIFEST, TAG_MANIFEST, 'bag-info.txt', PAYLOAD.slice(0, -1)]);
  const alien = names.find((name) => !tags.has(name));
  if (alien !== undefined) throw contractError(strange(join(root, alien), 'is not of an export'));
  for (const name of names) await refuseLink(join(root, name));
  if (names.includes(MANIFEST)) {
    for await (const line of linesOf(join(root, MANIFEST))) {
      const file = readManifestLine(line);
      if (file !== null && isInside(file.path)) listed.set(file.path, file.sha256);
    }
  }
  return listed;
}

/** A path of a manifest that leads into the payload and nowhere else. */
const isInside = (path: string): boolean =>
  path.startsWith(PAYLOAD) && !path.split('/').some((part) => part === '' || part === '.' || part === '..');

async function isHeld(place: string, file: SourceFile): Promise<boolean> {
  const stats = await lstat(place).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) throw contractError(strange(place, 'is in the way: it is no file'));
  if (stats.size !== file.bytes) return false;
  return (await hashOfFile(place)).sha256 === file.sha256;
}

async function copyChecked(file: SourceFile, target: FileHandle): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of sourcePieces(file)) {
    hash.update(piece);
    await target.write(piece);
  }
  if (hash.digest('hex') !== file.sha256)
    throw new DamagedSource(`${file.path}: its bytes are not those that were archived`);
}

/** Content in pieces of a good size for writing. */
export function* gathered(content: Iterable<string | Uint8Array>): Generator<Uint8Array> {
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
