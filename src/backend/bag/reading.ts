import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** So much of a file is read in one go. */
const CHUNK = 256 * 1024;

/** The SHA-256 and the length of a file. */
export async function hashOfFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, 'r');
  try {
    return await hashOf(piecesOf(file));
  } finally {
    await file.close();
  }
}

/**
 * A file from its start on in pieces, each of which is overwritten by the next one. A small file is read at once into a buffer of its
 * size: tens of thousands of them leave nothing to clear away.
 */
export async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, CHUNK));
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
    // One byte more than there are was asked for.
    if (at === size && bytesRead < buffer.length) return;
  }
}

export async function hashOf(stream: AsyncIterable<Buffer>): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The lines of a text file, without their ends. */
export function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}
