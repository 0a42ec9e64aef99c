import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '../sites/durable-file.ts';
import { gathered } from './folder-sink.ts';
import { piecesOf } from './reading.ts';
import { type BagSink, DamagedSource, sourcePieces, type WrittenFile } from './sink.ts';
import { centralRecord, endRecords, isLarge, localHeader, localLength } from './zip-records.ts';

const CHUNK = 256 * 1024;

/**
 * A bag as a ZIP file, its files stored as they are (a PDF is compressed already), as ZIP64 where counts or sizes ask for it. All
 * files stand in one folder of the ZIP, named after it. It gets its name when it is whole; stopped, it begins anew. Its directory is
 * gathered in a file beside it, so that it takes no more memory the more files there are.
 * @param at the moment every file in it is dated, ms UTC: the same each time it is made
 */
export async function zipSink(path: string, at: number): Promise<BagSink> {
  await mkdir(dirname(path), { recursive: true });
  await removeParts(path);
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`);
  const top = basename(path).replace(/\.zip$/i, '');
  const file = await open(part, 'wx', 0o644);
  const directory = await openDirectory(`${part}.directory`);
  let cursor = 0;

  /** Writes one file behind what stands there; it counts only once it is kept. */
  async function add(
    name: string,
    size: number | null,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile & { keep(): Promise<void> }> {
    const place = {
      name: Buffer.from(`${top}/${name}`),
      large: size === null || isLarge(size),
      offset: cursor,
    };
    const hash = createHash('sha256');
    const begin = cursor + localLength(place);
    let crc = 0;
    let bytes = 0;
    for await (const piece of pieces) {
      hash.update(piece);
      crc = crc32(piece, crc);
      await writeAll(file, piece, begin + bytes);
      bytes += piece.length;
    }
    const keep = async () => {
      const entry = { ...place, crc, bytes };
      await writeAll(file, localHeader(entry, at), entry.offset);
      await directory.add(centralRecord(entry, at));
      cursor = begin + bytes;
    };
    return { path: name, sha256: hash.digest('hex'), bytes, keep };
  }

  return {
    async copy(source) {
      const { sha256, bytes, keep } = await add(source.path, source.bytes, sourcePieces(source));
      if (sha256 !== source.sha256 || bytes !== source.bytes) throw new DamagedSource(source.path);
      await keep();
      return 'written';
    },
    async write(name, content) {
      const { keep, ...written } = await add(name, null, gathered(content));
      await keep();
      return written;
    },
    // What stood under its name is replaced when the new one is whole.
    earlier: null,
    async finish() {
      const offset = cursor;
      for await (const piece of directory.all()) {
        await writeAll(file, piece, cursor);
        cursor += piece.length;
      }
      const end = endRecords({ count: directory.count(), bytes: cursor - offset, offset });
      await writeAll(file, end, cursor);
      // What was written of a damaged file at the end and did not count.
      await file.truncate(cursor + end.length);
      await file.sync();
      await file.close();
      await directory.remove();
      await rename(part, path);
      syncFolder(dirname(path));
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await directory.remove();
      await rm(part, { force: true });
    },
  };
}

/** Removes what earlier ones of this name left that were killed before their end. */
async function removeParts(path: string): Promise<void> {
  const begins = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const isPart =
      name.startsWith(begins) && /^[0-9a-f]{8}\.part(\.directory)?$/.test(name.slice(begins.length));
    if (isPart) await rm(join(dirname(path), name), { force: true });
  }
}

/** The records of a directory, gathered in a file. */
async function openDirectory(path: string) {
  const file = await open(path, 'wx+', 0o600);
  let waiting: Buffer[] = [];
  let size = 0;
  let count = 0;
  const flush = async () => {
    await file.appendFile(Buffer.concat(waiting));
    waiting = [];
    size = 0;
  };
  return {
    count: () => count,
    async add(record: Buffer): Promise<void> {
      waiting.push(record);
      size += record.length;
      count++;
      if (size >= CHUNK) await flush();
    },
    async *all(): AsyncGenerator<Buffer, void, undefined> {
      await flush();
      yield* piecesOf(file);
    },
    async remove(): Promise<void> {
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** A write may take less than it was given. */
async function writeAll(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}

/** Whether a ZIP file stands there already. */
export async function standsAlready(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
