import { parse } from 'csv-parse/sync';
import { createUsageError } from '../errors/cli-error.ts';
import { readTextInput } from './input-files.ts';

/** Reads ids from a file, or from stdin for `-`. `noun` names the records in error messages. */
export async function readIdsFile(file: string, noun = 'webhook'): Promise<number[]> {
  const ids = parseServiceIds(await readTextInput(file), noun);
  if (ids.length === 0) throw createUsageError(`File ${file} contains no ${noun} IDs.`);
  return ids;
}

/** Returns the distinct statement ids from the arguments and from the `--ids-file`. */
export async function readStatementIds(
  ids: readonly number[] | undefined,
  { idsFile }: { readonly idsFile?: string },
): Promise<number[]> {
  const fileIds = idsFile === undefined ? [] : await readIdsFile(idsFile, 'statement');
  return [...new Set([...(ids ?? []), ...fileIds])];
}

const integerPattern = /^\d{1,15}$/;

/** Parses ids separated by white space or commas. In a CSV file, reads the `id` column, or else the first column. */
export function parseServiceIds(content: string, noun = 'webhook'): number[] {
  const format = { bom: true, trim: true, relax_quotes: true, relax_column_count: true };
  const [first, ...rows] = parse(content, { ...format, skip_empty_lines: true });
  if (first === undefined) return [];
  const isHeader = !splitWords(first).every((word) => integerPattern.test(word));
  if (!isHeader) return [first, ...rows].flatMap(splitWords).map((word) => parseId(word, noun));
  const column = Math.max(0, first.indexOf('id'));
  return rows.map((row) => parseId(row[column] ?? '', noun));
}

function splitWords(row: readonly string[]): string[] {
  return row.flatMap((cell) => cell.split(/\s+/)).filter(Boolean);
}

function parseId(word: string, noun: string): number {
  if (integerPattern.test(word)) return Number(word);
  throw createUsageError(`${JSON.stringify(word)} is not a ${noun} ID.`, 'Correct the file with the IDs.');
}
