import { readIdsFile } from '../../input/ids-file.ts';

export interface StatementIdsOptions {
  readonly idsFile?: string;
}

/** Returns the distinct statement ids from the arguments and from the `--ids-file`. */
export async function readStatementIds(
  ids: readonly number[] | undefined,
  { idsFile }: StatementIdsOptions,
): Promise<number[]> {
  const fileIds = idsFile === undefined ? [] : await readIdsFile(idsFile, 'statement');
  return [...new Set([...(ids ?? []), ...fileIds])];
}
