import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '../shared/durable-file.ts';
import { inWriteBuffers } from './folder-sink.ts';
import { readFilePieces } from './reading.ts';
import { type BagTarget, DamagedSourceError, readSourcePieces, type WrittenFile } from './sink.ts';
import { centralRecord, endRecords, localHeader, localLength, needsZip64 } from './zip-records.ts';

const CHUNK = 256 * 1024;

/**
 * Opens a ZIP file as a BagIt target. Files are stored uncompressed (PDFs already are compressed) in one folder named
 * like the ZIP. The ZIP gets its name when it is complete; an interrupted export starts over. The central directory is
 * collected in a file beside it, so that memory does not grow with the number of files.
 * @param at date of every entry in UTC milliseconds, the same for every repetition
 */
export async function openZipTarget(path: string, at: number): Promise<BagTarget> {
  await mkdir(dirname(path), { recursive: true });
  await removeParts(path);
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`);
  const top = basename(path).replace(/\.zip$/i, '');
  const file = await open(part, 'wx', 0o644);
  const directory = await openDirectory(`${part}.directory`);
  let cursor = 0;

  /** Appends a file. It counts only after it is kept. */
  async function add(
    name: string,
    size: number | null,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile & { keep(): Promise<void> }> {
    const place = {
      name: Buffer.from(`${top}/${name}`),
      large: size === null || needsZip64(size),
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
      const { sha256, bytes, keep } = await add(source.path, source.bytes, readSourcePieces(source));
      if (sha256 !== source.sha256 || bytes !== source.bytes) throw new DamagedSourceError(source.path);
      await keep();
      return 'written';
    },
    async write(name, content) {
      const { keep, ...written } = await add(name, null, inWriteBuffers(content));
      await keep();
      return written;
    },
    // An existing file of this name is replaced when the new one is complete.
    earlier: null,
    async finish() {
      const offset = cursor;
      for await (const piece of directory.all()) {
        await writeAll(file, piece, cursor);
        cursor += piece.length;
      }
      const end = endRecords({ count: directory.count(), bytes: cursor - offset, offset });
      await writeAll(file, end, cursor);
      // Removes the bytes of a damaged file that was written last and does not count.
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

/** Removes files left by earlier exports of this name that were killed. */
async function removeParts(path: string): Promise<void> {
  const begins = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const isPart =
      name.startsWith(begins) && /^[0-9a-f]{8}\.part(\.directory)?$/.test(name.slice(begins.length));
    if (isPart) await rm(join(dirname(path), name), { force: true });
  }
}

/** Opens the file that collects the central directory's records. */
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
      yield* readFilePieces(file);
    },
    async remove(): Promise<void> {
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** Writes everything, because a single write may be partial. */
async function writeAll(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}

/** Whether a ZIP file stands there already. */
export async function fileExistsError(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
