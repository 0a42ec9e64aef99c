import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outputs } from '../../contract/index.ts';
import { isLocked } from '../store/lock.ts';
import { isWorkedOn } from './worked-on.ts';

type Status = Outputs['sync']['status'];

/** What other processes do with a site, apart from what they write into its stores. */
export interface Others {
  elsewhere: NonNullable<Status['elsewhere']> | null;
  scheduled: NonNullable<Status['scheduled']> | null;
}

/** The notes in a site's folder of who works on it, and of who syncs it on a schedule; each counts while its lock is held. */
export const holderIn = (folder: string) => join(folder, 'writer.json');
export const scheduleIn = (folder: string) => join(folder, 'schedule.json');
export const scheduleLockIn = (folder: string) => join(folder, 'schedule.lock');

/** What other processes than this one do with the site in a folder. Only looks. */
export function othersOn(folder: string): Others {
  return {
    elsewhere: anothers<Others['elsewhere']>(holderIn(folder), () => isWorkedOn(folder)),
    scheduled: anothers<Others['scheduled']>(scheduleIn(folder), () => isLocked(scheduleLockIn(folder))),
  };
}

/** What another process noted, where it is still there; nothing is loaded for it, since it is asked for where time counts. */
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
