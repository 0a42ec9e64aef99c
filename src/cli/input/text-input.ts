import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { usageError } from '../errors/cli-error.ts';

/** Reads a text file, or stdin for `-`. */
export async function readTextInput(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch {
    throw usageError(`File ${file} could not be read.`, 'Check the file name.');
  }
}
