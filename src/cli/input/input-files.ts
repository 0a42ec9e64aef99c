import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BackendClient } from '../../contract/contract.ts';
import { createUsageError } from '../errors/cli-error.ts';

/** Reads a text file, or stdin for `-`. */
export async function readTextInput(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch {
    throw unreadableError(file);
  }
}

interface SiteRef {
  readonly client: BackendClient;
  readonly site: string;
}

const CHUNK_BYTES = 1_000_000;

/** Uploads a file to the backend in chunks and returns the upload id. */
export async function uploadFile(target: SiteRef, path: string): Promise<string> {
  const file = openForReading(path);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  try {
    return await upload(target, basename(path), () =>
      buffer.subarray(0, readSync(file, buffer, 0, CHUNK_BYTES, null)),
    );
  } finally {
    closeSync(file);
  }
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

/** Uploads chunks until `nextChunk` returns an empty one. An empty file is uploaded as one empty chunk. */
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

function openForReading(path: string): number {
  try {
    return openSync(path, 'r');
  } catch {
    throw unreadableError(path);
  }
}

const unreadableError = (file: string) =>
  createUsageError(`File ${file} could not be read.`, 'Check the file name.');
