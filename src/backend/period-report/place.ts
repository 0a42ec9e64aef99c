import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { fileExistsError } from '../bagit/zip-sink.ts';
import { syncFolder } from '../shared/durable-file.ts';

/**
 * Returns the target path of a file with the extension of its type. Throws `validation` for a relative path, `conflict`
 * if a file exists that must not be replaced.
 */
export async function resolveTargetPath(path: string, ending: string, replace: boolean): Promise<string> {
  if (!isAbsolute(path)) {
    const message = `${path} is not a whole path. Name the place from the root of the disk on.`;
    throw contractError({ code: 'validation', message, errors: [`path: ${message}`], retryable: false });
  }
  const place = extname(path).toLowerCase() === ending ? resolve(path) : `${resolve(path)}${ending}`;
  if (!replace && (await fileExistsError(place))) {
    const message = `${place} is there already.`;
    const hint = 'Choose another name, or say that it is to be replaced.';
    throw contractError({ code: 'conflict', message, hint, retryable: false, detail: { path: place } });
  }
  return place;
}

/** Writes a file that gets its name only when it is complete and durable. If the pieces throw, nothing is left. */
export async function writeFileAtomically(
  place: string,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const part = join(dirname(place), `.${basename(place)}.${randomBytes(4).toString('hex')}.part`);
  const file = await open(part, 'wx', 0o644);
  try {
    for await (const piece of pieces)
      await file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
    await file.sync();
    await file.close();
    await rename(part, place);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
  syncFolder(dirname(place));
}
