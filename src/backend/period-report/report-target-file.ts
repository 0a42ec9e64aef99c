import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { createContractError, createNonRetryableError } from '../../contract/index.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';

/**
 * Returns the absolute path of a file to write, with the given extension. Throws `validation` for a relative path, and
 * `conflict` if the file exists and must not be replaced.
 */
export async function resolveReportTargetPath(
  path: string,
  extension: string,
  replace: boolean,
): Promise<string> {
  if (!isAbsolute(path)) {
    const message = `${path} is not an absolute path. Enter a path that starts at the root of the disk.`;
    throw createContractError({
      code: 'validation',
      message,
      errors: [`path: ${message}`],
      retryable: false,
    });
  }
  const targetPath =
    extname(path).toLowerCase() === extension ? resolve(path) : `${resolve(path)}${extension}`;
  if (!replace && existsSync(targetPath)) {
    const message = `${targetPath} already exists.`;
    const hint = 'Choose another name, or choose to replace the file.';
    throw createNonRetryableError('conflict', message, hint, { path: targetPath });
  }
  return targetPath;
}

/** Writes a file under a temporary name, flushes and renames it. Nothing remains if the pieces throw. */
export async function writeFileAtomically(
  targetPath: string,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<void> {
  await mkdir(dirname(targetPath), { recursive: true });
  const part = join(dirname(targetPath), `.${basename(targetPath)}.${randomBytes(4).toString('hex')}.part`);
  const file = await open(part, 'wx', 0o644);
  try {
    for await (const piece of pieces)
      await file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
    await file.sync();
    await file.close();
    await rename(part, targetPath);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
  flushFolderToDisk(dirname(targetPath));
}
