import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** The SHA-256 and the length of a file. */
export async function hashOfFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, 'r');
  try {
    return await hashOf(file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }));
  } finally {
    await file.close();
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
