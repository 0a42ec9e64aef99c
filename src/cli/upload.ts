import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Client } from '../contract/contract.ts';
import { wrongUsage } from './failure.ts';

const PIECE = 1_000_000;

/** Hands a file over to the backend in pieces; gives the upload’s name. */
export async function uploadFile(client: Client, site: string, path: string): Promise<string> {
  const file = opened(path);
  const buffer = Buffer.alloc(PIECE);
  const name = basename(path);
  let upload: string | undefined;
  try {
    for (;;) {
      const bytes = readSync(file, buffer, 0, PIECE, null);
      if (bytes === 0 && upload !== undefined) return upload;
      const data = buffer.toString('base64', 0, bytes);
      ({ upload } = await client.bank.upload({
        site,
        name,
        data,
        ...(upload === undefined ? {} : { upload }),
      }));
    }
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch {
    throw wrongUsage(`The file ${path} cannot be read.`, 'Check its name.');
  }
}
