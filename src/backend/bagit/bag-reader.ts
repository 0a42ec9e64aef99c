import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { contractError } from '../../contract/index.ts';
import { BAG_INFO_FILE, BAGIT_FILE, MANIFEST_FILE, TAG_MANIFEST_FILE } from './bag-format.ts';
import { hashFile, hashPieces } from './read-files.ts';

/** BagIt bag opened for reading: a folder, or a ZIP file that contains a bag. */
export interface BagReader {
  readonly kind: 'folder' | 'zip';
  /** Yields all files, starting over on each call. Does not collect them in a list. */
  entries(): AsyncIterable<BagEntry>;
  /** Returns the text of a tag file. Throws if it is longer than `maxBytes`. */
  text(path: string, maxBytes: number): Promise<string>;
  /** Returns the content of a file as a stream. The file must be named when the bag is opened. */
  read(path: string): Promise<Readable>;
  close(): void;
}

export interface BagEntry {
  /** Path relative to the bag's folder, with `/`. */
  readonly path: string;
  /** Returns the file's SHA-256 and size. Must be called before the next entry is requested. */
  hash(): Promise<{ sha256: string; bytes: number }>;
}

/** The tag files of a bag. */
const TAG_FILES: ReadonlySet<string> = new Set([BAGIT_FILE, BAG_INFO_FILE, MANIFEST_FILE, TAG_MANIFEST_FILE]);

/**
 * Opens a bag. `also` names further files whose content will be read. Throws `not_found` or `validation` if there is no
 * bag.
 */
export async function openBag(path: string, also: readonly string[] = []): Promise<BagReader> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) {
    const hint = 'Say where the folder or ZIP file is.';
    throw contractError({
      code: 'not_found',
      message: `There is nothing at ${path}.`,
      hint,
      retryable: false,
    });
  }
  return stats.isDirectory() ? openFolderBag(path) : openZipBag(path, new Set([...TAG_FILES, ...also]));
}

function openFolderBag(root: string): BagReader {
  const fileAt = async (path: string) => {
    const filePath = join(root, ...path.split('/'));
    if (!(await lstat(filePath)).isFile()) throw new Error('it is a link, and no file');
    return filePath;
  };
  async function* walk(path: string): AsyncGenerator<BagEntry, void, undefined> {
    const inner: Dirent[] = await readdir(join(root, path), { withFileTypes: true });
    for (const each of inner.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = path === '' ? each.name : `${path}/${each.name}`;
      if (each.isDirectory()) yield* walk(found);
      else yield { path: found, hash: async () => hashFile(await fileAt(found)) };
    }
  }
  return {
    kind: 'folder',
    entries: () => walk(''),
    text: async (path, most) => readText(createReadStream(await fileAt(path)), most),
    read: async (path) => createReadStream(await fileAt(path)),
    close: () => undefined,
  };
}

/** Returns a library's error message with exactly one period at the end. */
function toSentence(error: unknown): string {
  return `${(error instanceof Error ? error.message : String(error)).replace(/\.+$/, '')}.`;
}

/**
 * Opens a bag in a ZIP file. The yauzl library checks every entry's size and checksum while reading, and rejects names
 * that point outside the archive.
 */
async function openZipBag(path: string, requestedFiles: ReadonlySet<string>): Promise<BagReader> {
  const notAZip = (error: unknown) =>
    contractError({
      code: 'validation',
      message: `${path} is no ZIP file that can be read: ${toSentence(error)}`,
      hint: 'Check that it was copied whole; ask for it again.',
      retryable: false,
    });
  const open = () =>
    yauzl.openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
      throw notAZip(error);
    });
  async function* files(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry, void, undefined> {
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) yield entry;
  }

  const first = await open();
  const mayBeTags: yauzl.Entry[] = [];
  const tops = new Set<string>();
  let allInside = true;
  try {
    for await (const entry of files(first)) {
      const { fileName } = entry;
      const inside = fileName.indexOf('/') + 1;
      if (tops.size < 2) tops.add(fileName.slice(0, Math.max(0, inside)));
      if (inside === 0) allInside = false;
      if (requestedFiles.has(fileName) || requestedFiles.has(fileName.slice(inside))) mayBeTags.push(entry);
    }
  } catch (error) {
    first.close();
    throw notAZip(error);
  }
  // A ZIP usually contains the bag's folder. A ZIP with the bag's files at the top level is accepted as well.
  const inFolder = tops.size === 1 && allInside;
  const pathOf = ({ fileName }: yauzl.Entry) =>
    inFolder ? fileName.slice(fileName.indexOf('/') + 1) : fileName;

  const tags = new Map(mayBeTags.map((entry) => [pathOf(entry), entry]));

  async function* entries(): AsyncGenerator<BagEntry, void, undefined> {
    const zip = await open();
    try {
      for await (const entry of files(zip)) {
        yield { path: pathOf(entry), hash: async () => hashPieces(await zip.openReadStreamPromise(entry)) };
      }
    } finally {
      zip.close();
    }
  }
  const read = async (name: string): Promise<Readable> => {
    const entry = tags.get(name);
    if (entry === undefined) throw new Error('it is not there');
    return first.openReadStreamPromise(entry);
  };
  return {
    kind: 'zip',
    entries,
    text: async (name, most) => readText(await read(name), most),
    read,
    close: () => first.close(),
  };
}

async function readText(stream: AsyncIterable<Buffer>, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > most) throw new Error(`it is longer than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
