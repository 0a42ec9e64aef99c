import type { Inputs } from '../../contract/index.ts';

export type BackupSource = Inputs['backups']['compare']['from'];

const PATH_PREFIX = 'file:';

/** How a file of this computer stands in the address. */
export const toBackupItem = (path: string): string => PATH_PREFIX + path;

/** The copy that the address names. */
export function toBackupSource(item: string): BackupSource {
  return item.startsWith(PATH_PREFIX) ? { path: item.slice(PATH_PREFIX.length) } : { name: item };
}
