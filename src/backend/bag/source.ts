import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { contractError } from '../../contract/index.ts';
import { BAG_INFO, BAGIT, MANIFEST, TAG_MANIFEST } from './format.ts';
import { hashOf, hashOfFile } from './reading.ts';

/** A bag to be read: a folder, or a ZIP file with a bag in it. */
export interface BagSource {
  readonly kind: 'folder' | 'zip';
  /** The files one after another, from the first on each time; no list of them is held. */
  entries(): AsyncIterable<BagEntry>;
  /** The text of a file that tells of the bag, of at most so many bytes. */
  text(path: string, most: number): Promise<string>;
  /** The bytes of a file that was asked for when the bag was opened. */
  read(path: string): Promise<Readable>;
  close(): void;
}

export interface BagEntry {
  /** From the bag's folder on, with `/`. */
  readonly path: string;
  /** To be called before the next entry is asked for. */
  hash(): Promise<{ sha256: string; bytes: number }>;
}

/** The files that tell of a bag. */
const TAGS: ReadonlySet<string> = new Set([BAGIT, BAG_INFO, MANIFEST, TAG_MANIFEST]);

/** Opens what stands at a path; `also` are paths whose text or bytes will be asked for besides. Throws `not_found` or `validation` where there is no bag. */
export async function openBag(path: string, also: readonly string[] = []): Promise<BagSource> {
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
  return stats.isDirectory() ? folderBag(path) : zipBag(path, new Set([...TAGS, ...also]));
}

function folderBag(root: string): BagSource {
  const fileAt = async (path: string) => {
    const place = join(root, ...path.split('/'));
    if (!(await lstat(place)).isFile()) throw new Error('it is a link, and no file');
    return place;
  };
  async function* walk(path: string): AsyncGenerator<BagEntry, void, undefined> {
    const inner: Dirent[] = await readdir(join(root, path), { withFileTypes: true });
    for (const each of inner.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = path === '' ? each.name : `${path}/${each.name}`;
      if (each.isDirectory()) yield* walk(found);
      else yield { path: found, hash: async () => hashOfFile(await fileAt(found)) };
    }
  }
  return {
    kind: 'folder',
    entries: () => walk(''),
    text: async (path, most) => textOf(createReadStream(await fileAt(path)), most),
    read: async (path) => createReadStream(await fileAt(path)),
    close: () => undefined,
  };
}

/** What a library says, ending in one full stop. */
function sentence(error: unknown): string {
  return `${(error instanceof Error ? error.message : String(error)).replace(/\.+$/, '')}.`;
}

/** Every entry's size and checksum are checked by yauzl as it is read; the file names by it too, so that none leads out. */
async function zipBag(path: string, asked: ReadonlySet<string>): Promise<BagSource> {
  const notAZip = (error: unknown) =>
    contractError({
      code: 'validation',
      message: `${path} is no ZIP file that can be read: ${sentence(error)}`,
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
      if (asked.has(fileName) || asked.has(fileName.slice(inside))) mayBeTags.push(entry);
    }
  } catch (error) {
    first.close();
    throw notAZip(error);
  }
  // A ZIP of a bag holds the bag's folder; one that holds the bag's files themselves is read as well.
  const inFolder = tops.size === 1 && allInside;
  const pathOf = ({ fileName }: yauzl.Entry) =>
    inFolder ? fileName.slice(fileName.indexOf('/') + 1) : fileName;

  const tags = new Map(mayBeTags.map((entry) => [pathOf(entry), entry]));

  async function* entries(): AsyncGenerator<BagEntry, void, undefined> {
    const zip = await open();
    try {
      for await (const entry of files(zip)) {
        yield { path: pathOf(entry), hash: async () => hashOf(await zip.openReadStreamPromise(entry)) };
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
    text: async (name, most) => textOf(await read(name), most),
    read,
    close: () => first.close(),
  };
}

async function textOf(stream: AsyncIterable<Buffer>, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > most) throw new Error(`it is longer than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
