import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** Number of bytes read at once. */
const CHUNK = 256 * 1024;

/** Returns the SHA-256 and the length of a file. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, 'r');
  try {
    return await hashPieces(readFilePieces(file));
  } finally {
    await file.close();
  }
}

/**
 * Yields a file in pieces. Each piece overwrites the previous one. A small file is read at once into a buffer of its
 * size, so that tens of thousands of files cause little garbage collection.
 */
export async function* readFilePieces(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, CHUNK));
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
    // One byte more than the file's size was requested, so a short read means its end.
    if (at === size && bytesRead < buffer.length) return;
  }
}

export async function hashPieces(stream: AsyncIterable<Buffer>): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Yields the lines of a text file without line breaks. */
export function readLines(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}
