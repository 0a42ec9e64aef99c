import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Client } from '../../contract/contract.ts';
import { wrongUsage } from '../failure.ts';

const PIECE = 1_000_000;

/** Hands a file over to the backend in pieces; gives the upload’s name. */
export async function uploadFile(client: Client, site: string, path: string): Promise<string> {
  const file = opened(path);
  const buffer = Buffer.alloc(PIECE);
  try {
    return await upload(client, site, basename(path), () => {
      return buffer.subarray(0, readSync(file, buffer, 0, PIECE, null));
    });
  } finally {
    closeSync(file);
  }
}

/** The same for a text that is in no file. */
export function uploadText(client: Client, site: string, name: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  let at = 0;
  return upload(client, site, name, () => {
    const piece = bytes.subarray(at, at + PIECE);
    at += piece.length;
    return piece;
  });
}

/** Pieces until there is an empty one; an empty file is one of them. */
async function upload(client: Client, site: string, name: string, next: () => Buffer): Promise<string> {
  let begun: string | undefined;
  for (;;) {
    const piece = next();
    if (piece.length === 0 && begun !== undefined) return begun;
    const data = piece.toString('base64');
    const more = begun === undefined ? {} : { upload: begun };
    ({ upload: begun } = await client.bank.upload({ site, name, data, ...more }));
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch {
    throw wrongUsage(`The file ${path} cannot be read.`, 'Check its name.');
  }
}
