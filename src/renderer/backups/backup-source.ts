import type { Inputs } from '../../contract/index.ts';

export type BackupSource = Inputs['backups']['compare']['from'];

const PATH_PREFIX = 'file:';

/** Returns the route item for a backup file outside the backup folder. */
export const toBackupItem = (path: string): string => PATH_PREFIX + path;

/** Returns the backup that a route item identifies. */
export function toBackupSource(item: string): BackupSource {
  return item.startsWith(PATH_PREFIX) ? { path: item.slice(PATH_PREFIX.length) } : { name: item };
}
