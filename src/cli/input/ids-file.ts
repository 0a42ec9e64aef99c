import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { wrongUsage } from '../failure.ts';

/** The ids of a file, of webhooks unless told, or of stdin for `-`. */
export async function idsOfFile(file: string, of = 'webhook'): Promise<number[]> {
  const ids = idsIn(await textOf(file), of);
  if (ids.length === 0) throw wrongUsage(`There is no ${of} id in ${file}.`);
  return ids;
}

async function textOf(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch {
    throw wrongUsage(`The file ${file} cannot be read.`, 'Check the name given to --ids-file.');
  }
}

const whole = /^\d{1,15}$/;

/** Plain ids, separated by white space or commas; or a CSV with a header: its column `id`, else its first one. */
export function idsIn(content: string, of = 'webhook'): number[] {
  const [first, ...rest] = parse(content, {
    bom: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  if (first === undefined) return [];
  const plain = wordsOf(first);
  if (plain.every((word) => whole.test(word)))
    return [first, ...rest].flatMap(wordsOf).map((word) => idOf(word, of));
  const column = Math.max(0, first.indexOf('id'));
  return rest.map((row) => idOf(row[column] ?? '', of));
}

function wordsOf(row: readonly string[]): string[] {
  return row.flatMap((cell) => cell.split(/\s+/)).filter(Boolean);
}

function idOf(word: string, of: string): number {
  if (whole.test(word)) return Number(word);
  throw wrongUsage(`${JSON.stringify(word)} is not a ${of} id.`, 'Check the file given to --ids-file.');
}
