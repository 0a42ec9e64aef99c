import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { getSystemErrorMessage } from 'node:util';
import type { BackendClient } from '../../contract/contract.ts';
import { createUsageError } from '../errors/cli-error.ts';

/** Maximum size of a text file in bytes, equal to the limit in the contract. */
const MAX_TEXT_BYTES = 50_000_000;

/** Reads a text file, or stdin for `-`. */
export async function readTextInput(file: string): Promise<string> {
  if (file === '-') return await text(process.stdin).catch((error) => fail('The input', error));
  return withInputFile(file, (descriptor, bytes) => {
    if (bytes > MAX_TEXT_BYTES) throw createUsageError(`${file} is larger than 50 MB.`, 'Split the file.');
    return readFileSync(descriptor, 'utf8');
  });
}

interface SiteRef {
  readonly client: BackendClient;
  readonly site: string;
}

const CHUNK_BYTES = 1_000_000;

/** Uploads a file to the backend in chunks and returns the upload id. */
export async function uploadFile(target: SiteRef, path: string): Promise<string> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  return withInputFile(path, (file) =>
    upload(target, basename(path), () => buffer.subarray(0, readSync(file, buffer, 0, CHUNK_BYTES, null))),
  );
}

/** Uploads text as a file with the given name and returns the upload id. */
export function uploadTextAsFile(target: SiteRef, name: string, content: string): Promise<string> {
  const bytes = Buffer.from(content);
  let offset = 0;
  return upload(target, name, () => {
    const chunk = bytes.subarray(offset, offset + CHUNK_BYTES);
    offset += chunk.length;
    return chunk;
  });
}

/** Uploads chunks until `nextChunk` returns an empty chunk. An empty file is uploaded as one empty chunk. */
async function upload({ client, site }: SiteRef, name: string, nextChunk: () => Buffer): Promise<string> {
  let id: string | undefined;
  for (;;) {
    const chunk = nextChunk();
    if (chunk.length === 0 && id !== undefined) return id;
    const data = chunk.toString('base64');
    const earlier = id === undefined ? {} : { upload: id };
    ({ upload: id } = await client.bank.upload({ site, name, data, ...earlier }));
  }
}

/**
 * Opens a regular file, passes its descriptor and its size in bytes to `read`, and closes the file. Throws `validation`
 * if the file cannot be opened or is not a regular file, because a FIFO or device could block or never end.
 */
export async function withInputFile<Result>(
  path: string,
  read: (descriptor: number, bytes: number) => Result | Promise<Result>,
): Promise<Result> {
  const file = openWithoutBlocking(path);
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw createUsageError(`${path} is a folder.`, 'Enter the path of a file.');
    if (!stats.isFile()) throw notRegularFileError(path);
    return await read(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/** Opens a file for reading. Does not wait for a FIFO's writer. */
function openWithoutBlocking(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // A socket cannot be opened as a file.
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') throw notRegularFileError(path);
    return fail(`File ${path}`, error);
  }
}

const notRegularFileError = (path: string) =>
  createUsageError(`${path} is not a regular file.`, 'Save its content as a file first.');

function fail(subject: string, error: unknown): never {
  const { errno } = error as NodeJS.ErrnoException;
  const reason = errno === undefined ? String(error) : getSystemErrorMessage(errno);
  throw createUsageError(`${subject} could not be read: ${reason}.`, 'Check the file name.');
}
