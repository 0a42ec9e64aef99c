import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outputs } from '../../contract/index.ts';
import { isLocked } from '../store/sqlite/file-lock.ts';
import { isSiteLocked } from './interrupted-state.ts';

type Status = Outputs['sync']['status'];

/** Activity of other processes on a site, apart from database writes. */
export interface OtherProcesses {
  other_process: NonNullable<Status['other_process']> | null;
  scheduled: NonNullable<Status['scheduled']> | null;
}

/**
 * Files in a site's folder that name the process working on it and the process syncing it on a schedule. Each is valid
 * while its lock is held.
 */
export const lockHolderPath = (folder: string) => join(folder, 'writer.json');
export const schedulePath = (folder: string) => join(folder, 'schedule.json');
export const scheduleLockPath = (folder: string) => join(folder, 'schedule.lock');

/** Returns the activity of other processes on the site in a folder. Read-only. */
export function otherProcessesOn(folder: string): OtherProcesses {
  return {
    other_process: anothers<OtherProcesses['other_process']>(lockHolderPath(folder), () =>
      isSiteLocked(folder),
    ),
    scheduled: anothers<OtherProcesses['scheduled']>(schedulePath(folder), () =>
      isLocked(scheduleLockPath(folder)),
    ),
  };
}

/** Returns another process's file content if its lock is held. Loads no schema, because startup time counts. */
function anothers<Note extends { pid: number } | null>(path: string, holds: () => boolean): Note | null {
  let note: Note;
  try {
    note = JSON.parse(readFileSync(path, 'utf8')) as Note;
  } catch {
    return null;
  }
  if (typeof note?.pid !== 'number' || note.pid === process.pid) return null;
  return holds() ? note : null;
}
