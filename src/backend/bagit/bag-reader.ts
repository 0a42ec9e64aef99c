import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import yauzl from 'yauzl';
import { createNonRetryableError } from '../../contract/index.ts';
import { TAG_FILES } from './bag-format.ts';
import { hashFile, hashStream } from './hash-files.ts';

/** A BagIt bag opened for reading: a folder, or a ZIP file. */
export interface BagReader {
  readonly path: string;
  readonly kind: 'folder' | 'zip';
  /** Yields all files in the bag. Each call starts from the first file and keeps no list of files in memory. */
  entries(): AsyncIterable<BagEntry>;
  /**
   * Opens a file of the bag for reading. In a ZIP file, only tag files and files that `also` of `withOpenBag` names can
   * be opened.
   */
  open(path: string): Promise<Readable>;
  close(): void;
}

export interface BagEntry {
  /** Path relative to the bag's folder, with `/` as separator. */
  readonly path: string;
  /** Returns the file's SHA-256 and size. Must be called before the next entry is requested. */
  hash(): Promise<{ sha256: string; bytes: number }>;
}

/**
 * Opens a bag, reads it with `read` and closes it. `also` names the payload files that `read` opens. Throws `not_found`
 * if the path does not exist, and `validation` if the file is not a ZIP file, for example a FIFO.
 */
export async function withOpenBag<Result>(
  path: string,
  also: readonly string[],
  read: (bag: BagReader) => Promise<Result>,
): Promise<Result> {
  const stats = await stat(path).catch(() => null);
  if (stats === null)
    throw createNonRetryableError(
      'not_found',
      `${path} does not exist.`,
      'Enter the path of a folder or ZIP file.',
    );
  // Opening a FIFO would block until another process writes to it.
  if (!stats.isDirectory() && !stats.isFile())
    throw createNonRetryableError(
      'validation',
      `${path} is not a regular file.`,
      'Enter the path of a folder or ZIP file.',
    );
  const bag = stats.isDirectory()
    ? openFolderBag(path)
    : await openZipBag(path, new Set([...TAG_FILES, ...also]));
  try {
    return await read(bag);
  } finally {
    bag.close();
  }
}

/** Returns the text of a file in a bag. Throws if the file is longer than `maxBytes`. */
export async function readBagText(bag: BagReader, path: string, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of await bag.open(path)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Yields the lines of a file in a bag. Keeps only one line in memory, because a ZIP entry can expand to many times its
 * size. Throws if a line or the file is too long.
 */
export async function* readBagLines(
  bag: BagReader,
  path: string,
  max: { readonly bytes: number; readonly lineLength: number },
): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let bytes = 0;
  let rest = '';
  for await (const piece of await bag.open(path)) {
    bytes += (piece as Buffer).length;
    if (bytes > max.bytes) throw new Error(`it is longer than ${max.bytes} bytes`);
    const lines = (rest + decoder.write(piece as Buffer)).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > max.lineLength) throw new Error(`a line is longer than ${max.lineLength} characters`);
    yield* lines;
  }
  yield* (rest + decoder.end()).split('\r');
}

function openFolderBag(root: string): BagReader {
  const resolveFile = async (path: string) => {
    if (path.split(/[/\\]/).includes('..')) throw new Error('it is outside the bag');
    const filePath = join(root, ...path.split('/'));
    if (!(await lstat(filePath)).isFile()) throw new Error('it is not a regular file');
    return filePath;
  };
  async function* walk(folder: string): AsyncGenerator<BagEntry, void, undefined> {
    const children = await readdir(join(root, folder), { withFileTypes: true });
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? child.name : `${folder}/${child.name}`;
      if (child.isDirectory()) yield* walk(path);
      else yield { path, hash: async () => hashFile(await resolveFile(path)) };
    }
  }
  return {
    path: root,
    kind: 'folder',
    entries: () => walk(''),
    open: async (path) => createReadStream(await resolveFile(path)),
    close: () => undefined,
  };
}

/** Yields the entries of a ZIP file except folders. */
async function* listZipFiles(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry, void, undefined> {
  for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) yield entry;
}

/**
 * Opens a bag in a ZIP file. The yauzl library checks every entry's size and checksum while reading, and rejects
 * names that point outside the archive.
 */
async function openZipBag(path: string, openable: ReadonlySet<string>): Promise<BagReader> {
  const failAsInvalid = (error: unknown) => {
    const cause = (error instanceof Error ? error.message : String(error)).replace(/\.+$/, '');
    const hint = 'Check that the file was copied completely, or request it again.';
    throw createNonRetryableError('validation', `${path} is not a readable ZIP file: ${cause}.`, hint);
  };
  const openZip = () => yauzl.openPromise(path, { lazyEntries: true, autoClose: false }).catch(failAsInvalid);

  const zip = await openZip();
  const openableEntries: yauzl.Entry[] = [];
  const topFolders = new Set<string>();
  try {
    for await (const entry of listZipFiles(zip)) {
      const { fileName } = entry;
      const afterTop = fileName.indexOf('/') + 1;
      if (topFolders.size < 2) topFolders.add(fileName.slice(0, afterTop));
      if (openable.has(fileName) || openable.has(fileName.slice(afterTop))) openableEntries.push(entry);
    }
  } catch (error) {
    zip.close();
    failAsInvalid(error);
  }
  // A ZIP usually contains the bag's folder. A ZIP with the bag's files at the top level is also accepted.
  const isInFolder = topFolders.size === 1 && !topFolders.has('');
  const toBagPath = ({ fileName }: yauzl.Entry) =>
    isInFolder ? fileName.slice(fileName.indexOf('/') + 1) : fileName;
  const entriesByPath = new Map(openableEntries.map((entry) => [toBagPath(entry), entry]));

  return {
    path,
    kind: 'zip',
    async *entries() {
      const pass = await openZip();
      try {
        for await (const entry of listZipFiles(pass))
          yield {
            path: toBagPath(entry),
            hash: async () => hashStream(await pass.openReadStreamPromise(entry)),
          };
      } finally {
        pass.close();
      }
    },
    async open(name) {
      const entry = entriesByPath.get(name);
      if (entry === undefined) throw new Error('it does not exist');
      return zip.openReadStreamPromise(entry);
    },
    close: () => zip.close(),
  };
}
