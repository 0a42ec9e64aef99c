import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import { type BagTarget, DamagedSourceError, readSourceChunks, type WrittenBagFile } from './bag-target.ts';
import { toWriteBuffers } from './folder-target.ts';
import { readFileChunks } from './hash-files.ts';
import {
  createCentralDirectoryRecord,
  createEndOfCentralDirectory,
  createLocalHeader,
  getLocalHeaderLength,
  needsZip64,
} from './zip-records.ts';

const DIRECTORY_BUFFER_BYTES = 256 * 1024;

/**
 * Opens a ZIP file as the target of a BagIt export. Files are stored uncompressed, because PDFs are already compressed.
 * The ZIP gets its final name when it is complete, and an interrupted export starts over. A temporary file collects the
 * central directory, so that memory use does not grow with the number of files. @param at date of all entries in UTC
 * milliseconds, the same if the export is repeated
 */
export async function openZipTarget(path: string, at: number): Promise<BagTarget> {
  await mkdir(dirname(path), { recursive: true });
  await removeTemporaryFiles(path);
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`);
  const topFolder = basename(path).replace(/\.zip$/i, '');
  const file = await open(part, 'wx', 0o644);
  const directory = await openCentralDirectoryFile(`${part}.directory`);
  let cursor = 0;

  /** Appends a file's bytes. The file becomes part of the ZIP only with `commitEntry`. */
  async function append(
    path: string,
    size: number | null,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<{ written: WrittenBagFile; commitEntry(): Promise<void> }> {
    const large = size === null || needsZip64(size);
    const header = { name: Buffer.from(`${topFolder}/${path}`), large, offset: cursor };
    const hash = createHash('sha256');
    const start = cursor + getLocalHeaderLength(header);
    let crc = 0;
    let bytes = 0;
    for await (const piece of pieces) {
      hash.update(piece);
      crc = crc32(piece, crc);
      await writeAll(file, piece, start + bytes);
      bytes += piece.length;
    }
    const commitEntry = async () => {
      const entry = { ...header, crc, bytes };
      await writeAll(file, createLocalHeader(entry, at), entry.offset);
      await directory.add(createCentralDirectoryRecord(entry, at));
      cursor = start + bytes;
    };
    return { written: { path, sha256: hash.digest('hex'), bytes }, commitEntry };
  }

  return {
    async copy(source) {
      const { written, commitEntry } = await append(source.path, source.bytes, readSourceChunks(source));
      if (written.sha256 !== source.sha256 || written.bytes !== source.bytes)
        throw new DamagedSourceError(source.path);
      await commitEntry();
      return 'written';
    },
    async write(path, content) {
      const { written, commitEntry } = await append(path, null, toWriteBuffers(content));
      await commitEntry();
      return written;
    },
    // An existing file of this name is replaced when the new ZIP is complete.
    earlierFiles: null,
    async finish() {
      const offset = cursor;
      for await (const piece of directory.all()) {
        await writeAll(file, piece, cursor);
        cursor += piece.length;
      }
      const end = createEndOfCentralDirectory({ count: directory.count(), bytes: cursor - offset, offset });
      await writeAll(file, end, cursor);
      // Cuts off leftover bytes if the last appended file was damaged and not committed.
      await file.truncate(cursor + end.length);
      await file.sync();
      await file.close();
      await directory.remove();
      await rename(part, path);
      flushFolderToDisk(dirname(path));
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await directory.remove();
      await rm(part, { force: true });
    },
  };
}

/** Deletes temporary files of earlier exports with this name whose process was killed. */
async function removeTemporaryFiles(path: string): Promise<void> {
  const prefix = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix) && /^[0-9a-f]{8}\.part(\.directory)?$/.test(name.slice(prefix.length)))
      await rm(join(dirname(path), name), { force: true });
  }
}

/** Opens the temporary file that collects the records of the central directory. */
async function openCentralDirectoryFile(path: string) {
  const file = await open(path, 'wx+', 0o600);
  let pending: Buffer[] = [];
  let size = 0;
  let count = 0;
  const flush = async () => {
    await file.appendFile(Buffer.concat(pending));
    pending = [];
    size = 0;
  };
  return {
    count: () => count,
    async add(record: Buffer): Promise<void> {
      pending.push(record);
      size += record.length;
      count++;
      if (size >= DIRECTORY_BUFFER_BYTES) await flush();
    },
    async *all(): AsyncGenerator<Buffer, void, undefined> {
      await flush();
      yield* readFileChunks(file);
    },
    async remove(): Promise<void> {
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** Writes the entire buffer. Repeats the call if needed, because one call may write only a part. */
async function writeAll(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}
