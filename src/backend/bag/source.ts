import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { contractError } from '../../contract/index.ts';
import { hashOf, hashOfFile } from './reading.ts';

/** A bag to be read: a folder, or a ZIP file with a bag in it. */
export interface BagSource {
  readonly kind: 'folder' | 'zip';
  readonly entries: readonly BagEntry[];
  hash(entry: BagEntry): Promise<{ sha256: string; bytes: number }>;
  /** The text of a file of at most so many bytes. */
  text(path: string, most: number): Promise<string>;
  close(): void;
}

export interface BagEntry {
  /** From the bag's folder on, with `/`. */
  readonly path: string;
}

/** Opens what stands at a path. Throws `not_found` or `validation` where there is no bag. */
export async function openBag(path: string): Promise<BagSource> {
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
  return stats.isDirectory() ? folderBag(path) : zipBag(path);
}

async function folderBag(root: string): Promise<BagSource> {
  const entries: BagEntry[] = [];
  const walk = async (path: string): Promise<void> => {
    const inner: Dirent[] = await readdir(join(root, path), { withFileTypes: true });
    for (const each of inner.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = path === '' ? each.name : `${path}/${each.name}`;
      if (each.isDirectory()) await walk(found);
      else entries.push({ path: found });
    }
  };
  await walk('');
  const fileAt = async (path: string) => {
    const place = join(root, ...path.split('/'));
    if (!(await lstat(place)).isFile()) throw new Error('it is a link, and no file');
    return place;
  };
  return {
    kind: 'folder',
    entries,
    hash: async ({ path }) => hashOfFile(await fileAt(path)),
    text: async (path, most) => textOf(createReadStream(await fileAt(path)), most),
    close: () => undefined,
  };
}

/** Every entry's size and checksum are checked by yauzl as it is read; the file names by it too, so that none leads out. */
async function zipBag(path: string): Promise<BagSource> {
  const notAZip = (error: unknown) =>
    contractError({
      code: 'validation',
      message: `${path} is no ZIP file that can be read: ${error instanceof Error ? error.message : String(error)}.`,
      hint: 'Check that it was copied whole; ask for it again.',
      retryable: false,
    });
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false })
    .catch((error: unknown) => {
      throw notAZip(error);
    });
  const byPath = new Map<string, yauzl.Entry>();
  const entries: BagEntry[] = [];
  let tops: Set<string>;
  try {
    const all: yauzl.Entry[] = [];
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) all.push(entry);
    tops = new Set(all.map(({ fileName }) => fileName.split('/')[0] as string));
    // A ZIP of a bag holds the bag's folder; one that holds the bag's files themselves is read as well.
    const inFolder = tops.size === 1 && all.every(({ fileName }) => fileName.includes('/'));
    for (const entry of all) {
      const inner = inFolder ? entry.fileName.slice(entry.fileName.indexOf('/') + 1) : entry.fileName;
      entries.push({ path: inner });
      byPath.set(inner, entry);
    }
  } catch (error) {
    zip.close();
    throw notAZip(error);
  }
  const streamOf = (inner: string) => zip.openReadStreamPromise(byPath.get(inner) as yauzl.Entry);
  return {
    kind: 'zip',
    entries,
    hash: async (entry) => hashOf(await streamOf(entry.path)),
    text: async (inner, most) => textOf(await streamOf(inner), most),
    close: () => zip.close(),
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
