import { createHash, randomBytes } from 'node:crypto';
import { constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { createContractError, createNonRetryableError } from '../../contract/shared/contract-error.ts';
import { flushFolderToDisk } from './durable-file.ts';
import { isOwnFile, isOwnFolder } from './own-files.ts';

/** A file that a user chose for output, as returned by `resolveOutputFile`. */
export interface OutputFile {
  /** Absolute path of the file to write. Links are resolved. */
  readonly path: string;
  /** True for a named pipe or a character device such as `/dev/null`, which is written directly. */
  readonly isStream: boolean;
}

export interface OutputOptions {
  /** The app's data directory, in which nothing may be written. */
  readonly home: string;
  /** True if an existing file may be overwritten. */
  readonly replace: boolean;
  /** Extension that is added if the path has another one, for example `.zip`. */
  readonly extension?: string;
  /** True if the output must be a regular file, because the app also writes at earlier positions. */
  readonly isSeekable?: boolean;
}

/** Pieces of an output's content, in order. */
export type OutputPieces = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

export interface WrittenOutput {
  readonly bytes: number;
  readonly sha256: string;
}

/** Maximum number of links to follow, as in Linux. */
const MAX_LINKS = 40;

/**
 * Resolves the path of an output file and follows links. Throws `validation` for a relative path, `conflict` if the file
 * exists and must not be replaced, and `storage` for a path in the app's data directory, a folder or an unusable device.
 */
export function resolveOutputFile(path: string, options: OutputOptions): OutputFile {
  const { home, replace, extension, isSeekable = false } = options;
  requireAbsolutePath(path);
  const existing = readStats(path);
  if (existing !== null && !existing.isFile()) return resolveStream(path, existing, isSeekable);
  const named =
    extension === undefined || extname(path).toLowerCase() === extension
      ? resolve(path)
      : `${resolve(path)}${extension}`;
  const target = followLinks(named);
  requireOutsideHome(named, target, home);
  const stats = readStats(target);
  if (stats !== null && !stats.isFile()) return resolveStream(target, stats, isSeekable);
  if (stats !== null && !replace) {
    const hint = 'Choose another name, or choose to replace the file.';
    throw createNonRetryableError('conflict', `${named} already exists.`, hint, { path: named });
  }
  return { path: target, isStream: false };
}

/** Resolves the path of an output folder. Throws `validation` for a relative path and `storage` for an unusable one. */
export function resolveOutputFolder(path: string, home: string): string {
  requireAbsolutePath(path);
  const stats = readStats(path);
  if (stats !== null && !stats.isDirectory()) throw createOutputError(path, 'it is not a folder');
  const target = followLinks(resolve(path));
  requireOutsideHome(path, target, home);
  return target;
}

/**
 * Writes an output. A regular file appears only when it is complete and flushed. Nothing remains if the pieces or
 * `verify` throw. Throws `disk_full` and `storage`.
 */
export async function writeOutputFile(
  output: OutputFile,
  pieces: OutputPieces,
  verify: (written: WrittenOutput) => void = () => {},
): Promise<WrittenOutput> {
  return output.isStream
    ? await writeStream(output, pieces, verify)
    : await writeFile(output, pieces, verify);
}

async function writeFile(
  { path }: OutputFile,
  pieces: OutputPieces,
  verify: (written: WrittenOutput) => void,
): Promise<WrittenOutput> {
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(4).toString('hex')}.part`);
  const mode = readStats(path)?.mode ?? 0o644;
  const file = await open(part, 'wx', mode & 0o777).catch(rethrowFor(path));
  try {
    const written = await writePieces(file, pieces, path);
    verify(written);
    await file.sync().catch(rethrowFor(path));
    await file.close();
    await rename(part, path).catch(rethrowFor(path));
    flushFolderToDisk(dirname(path));
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

async function writeStream(
  { path }: OutputFile,
  pieces: OutputPieces,
  verify: (written: WrittenOutput) => void,
): Promise<WrittenOutput> {
  // Opening a pipe that nobody reads would wait forever. A non-blocking open fails instead.
  const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(rethrowFor(path));
  try {
    const file = await open(path, constants.O_WRONLY).catch(rethrowFor(path));
    try {
      const written = await writePieces(file, pieces, path);
      verify(written);
      return written;
    } finally {
      await file.close();
    }
  } finally {
    await probe.close();
  }
}

async function writePieces(file: FileHandle, pieces: OutputPieces, path: string): Promise<WrittenOutput> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece;
    hash.update(buffer);
    bytes += buffer.length;
    await file.writeFile(buffer).catch(rethrowFor(path));
  }
  return { bytes, sha256: hash.digest('hex') };
}

function resolveStream(path: string, stats: Stats, isSeekable: boolean): OutputFile {
  if (stats.isDirectory()) throw createOutputError(path, 'it is a folder');
  if (!stats.isFIFO() && !stats.isCharacterDevice()) throw createOutputError(path, 'it is not a file');
  if (isSeekable) throw createOutputError(path, 'this output must be a file, not a pipe or a device');
  return { path, isStream: true };
}

/** Returns the path that a file would have with all links resolved, even if the file does not exist. */
function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const folder = resolveFolder(dirname(target));
    target = join(folder, basename(target));
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(folder, readlinkSync(target));
  }
  throw createOutputError(path, 'its links form a loop');
}

/** Returns the real path of a folder. The last folders of the path may not exist. */
function resolveFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path) throw toOutputError(path, error);
    return join(resolveFolder(dirname(path)), basename(path));
  }
}

function readStats(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw toOutputError(path, error);
  }
}

function requireOutsideHome(named: string, target: string, home: string): void {
  if (!isOwnFolder(dirname(target), home) && !isOwnFile(target, home)) return;
  throw createNonRetryableError(
    'storage',
    `${named} is in Tieout’s own data directory.`,
    'Nothing was written. Choose another folder.',
    { path: named },
  );
}

function requireAbsolutePath(path: string): void {
  if (isAbsolute(path)) return;
  const message = `${path} is not an absolute path. Enter a path that starts at the root of the disk.`;
  throw createContractError({ code: 'validation', message, errors: [`path: ${message}`], retryable: false });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENXIO: 'no program reads from this pipe',
  EPIPE: 'the program that reads it has ended',
  ENAMETOOLONG: 'its name is too long',
};

function toOutputError(path: string, error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return createOutputError(path, REASONS[code] ?? (code || 'unknown reason'), code === 'ENOSPC');
}

const rethrowFor = (path: string) => (error: unknown) => {
  throw toOutputError(path, error);
};

const createOutputError = (path: string, reason: string, isDiskFull = false) =>
  createNonRetryableError(
    isDiskFull ? 'disk_full' : 'storage',
    `${path} could not be written: ${reason}.`,
    'Choose another location.',
    { path },
  );
