import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../../errors/cli-error.ts';

/** Writes a file that only appears once it is complete. Throws `damaged` if its SHA-256 is not the expected one. */
export async function writeVerifiedFile(
  file: string,
  bytes: Readable,
  sha256: string,
  damaged: CliError,
): Promise<void> {
  const partFile = join(dirname(file), `.${randomUUID()}.part`);
  try {
    const handle = await open(partFile, 'wx');
    const hash = createHash('sha256');
    try {
      for await (const chunk of bytes) {
        hash.update(chunk);
        await handle.write(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (hash.digest('hex') !== sha256) throw damaged;
    await rename(partFile, file);
  } catch (error) {
    await rm(partFile, { force: true });
    throw error instanceof CliError ? error : toWriteError(file, error);
  }
}

function toWriteError(file: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'the folder does not exist',
    EACCES: 'permission denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
  };
  return new CliError(
    code === 'ENOSPC' ? 'disk_full' : 'storage',
    `${file} could not be written: ${reasons[code] ?? (code || 'unknown reason')}.`,
    'Choose another location with -o.',
  );
}
