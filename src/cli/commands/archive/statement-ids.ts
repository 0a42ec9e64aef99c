import { readIdsFile } from '../../input/ids-file.ts';

export interface StatementIdsOptions {
  readonly idsFile?: string;
}

/** Returns the distinct ids from the arguments and from the file of `--ids-file`. */
export async function readStatementIds(
  ids: readonly number[] | undefined,
  { idsFile }: StatementIdsOptions,
): Promise<number[]> {
  const fileIds = idsFile === undefined ? [] : await readIdsFile(idsFile, 'statement');
  return [...new Set([...(ids ?? []), ...fileIds])];
}
