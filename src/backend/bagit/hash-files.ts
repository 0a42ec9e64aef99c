import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const READ_BUFFER_BYTES = 256 * 1024;

/** Returns the SHA-256 and the length of a file in bytes. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, 'r');
  try {
    return await hashStream(readFileChunks(file));
  } finally {
    await file.close();
  }
}

/**
 * Yields a file in pieces. All pieces share one buffer, so each piece overwrites the previous one. A small file gets a
 * buffer of its own size, which reduces garbage collection over tens of thousands of files.
 */
export async function* readFileChunks(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, READ_BUFFER_BYTES));
  for (let offset = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
    // The read requested one byte more than the file's size, so a short read means end of file.
    if (offset === size && bytesRead < buffer.length) return;
  }
}

/** Returns the SHA-256 and the total length of a stream in bytes. */
export async function hashStream(stream: AsyncIterable<Buffer>): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Yields the lines of a text file without line breaks. */
export function readFileLines(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}
