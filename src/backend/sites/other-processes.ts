import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractOutputs } from '../../contract/index.ts';
import { isFileLocked } from '../store/sqlite/file-lock.ts';
import { isSiteLocked } from './actual-job-state.ts';

type Status = ContractOutputs['sync']['status'];

/** Other processes that work on a site or sync it on a schedule. */
export interface OtherProcessActivity {
  other_process: NonNullable<Status['other_process']> | null;
  scheduled: NonNullable<Status['scheduled']> | null;
}

/** Files that name the process that works on a site, or syncs it on a schedule. Valid only while the lock is in use. */
export const getLockHolderPath = (folder: string) => join(folder, 'writer.json');
export const getScheduleFilePath = (folder: string) => join(folder, 'schedule.json');
export const getScheduleLockPath = (folder: string) => join(folder, 'schedule.lock');

/** Returns which other processes work on the site or sync it on a schedule. Read-only. */
export function findOtherProcesses(folder: string): OtherProcessActivity {
  return {
    other_process: readOtherProcessFile(getLockHolderPath(folder), () => isSiteLocked(folder)),
    scheduled: readOtherProcessFile(getScheduleFilePath(folder), () =>
      isFileLocked(getScheduleLockPath(folder)),
    ),
  };
}

/** Returns the content of a lock file if another process holds the lock. Uses no schema library, to start fast. */
function readOtherProcessFile<Content extends { pid: number } | null>(
  path: string,
  isLockTaken: () => boolean,
): Content | null {
  let content: Content;
  try {
    content = JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch {
    return null;
  }
  if (typeof content?.pid !== 'number' || content.pid === process.pid) return null;
  return isLockTaken() ? content : null;
}
