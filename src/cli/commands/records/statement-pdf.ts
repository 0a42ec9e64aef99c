import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, usageError } from '../../errors/cli-error.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';

/** Which PDF of a statement is meant: the newest one, unless a number is given; one deleted by hand only where `again` says so. */
export interface WhichPdf {
  readonly again?: boolean;
  readonly rendering?: number;
}

/**
 * Writes a statement's PDF to `output`, or to stdout for `-`; out of the archive where it is held, else fetched into it first.
 * A file appears under its name only when it is whole and its SHA-256 is the archive's.
 */
export async function writePdf(cli: CommandContext, id: number, output: string, which: WhichPdf) {
  if (output === '-' && cli.output.format !== 'table') {
    throw usageError('stdout cannot hold both the PDF and a document about it.', 'Name a file with -o.');
  }
  const pdf = await storedOrFetched(cli, id, which);
  const offered = await (await cli.session.blobs()).take(pdf.file.blob);
  if (offered === null) throw new CliError('storage', `The PDF of statement ${id} is gone from the archive.`);
  if (output === '-') {
    await pipeline(offered.stream, process.stdout, { end: false });
    return {
      statement: id,
      file: '-',
      bytes: pdf.file.bytes,
      sha256: pdf.sha256,
      fetched_at: pdf.fetched_at,
    };
  }
  const file = resolve(output);
  const damaged = new CliError(
    'corrupt',
    'The PDF in the archive is damaged.',
    'Find all that is damaged with: tieout archive check --full; then fetch it again with: tieout archive repair',
  );
  await writeWhole(file, offered.stream, pdf.sha256, damaged);
  return { statement: id, file, bytes: pdf.file.bytes, sha256: pdf.sha256, fetched_at: pdf.fetched_at };
}

async function storedOrFetched(
  { session }: CommandContext,
  id: number,
  { again = false, rendering }: WhichPdf,
) {
  const { client, site } = await session.openSite();
  if (rendering !== undefined) {
    const older = await client.statements.pdf({ site, id, version: rendering });
    if (older.stored) return older;
    throw new CliError(
      'not_found',
      `The archive has no rendering ${rendering} of statement ${id}.`,
      'See which there are with: tieout archive files --json',
    );
  }
  const kept = await client.statements.pdf({ site, id });
  if (kept.stored) return kept;
  const remote = await session.connectSite();
  const fetched = await remote.client.statements.fetchPdf({ site, id, again });
  if (!fetched.stored) throw new CliError('not_found', `The service has no PDF of statement ${id}.`);
  return fetched;
}

/** Puts bytes under a name when they are whole and their SHA-256 is this one; `damaged` is thrown where it is not. */
export async function writeWhole(
  file: string,
  bytes: Readable,
  sha256: string,
  damaged: CliError,
): Promise<void> {
  const part = join(dirname(file), `.${randomUUID()}.part`);
  try {
    const handle = await open(part, 'wx');
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
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error instanceof CliError ? error : notWritten(file, error);
  }
}

function notWritten(file: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such folder',
    EACCES: 'permission denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
  };
  return new CliError(
    code === 'ENOSPC' ? 'disk_full' : 'storage',
    `${file} could not be written: ${reasons[code] ?? (code || 'unknown reason')}.`,
    'Choose another place with -o.',
  );
}
