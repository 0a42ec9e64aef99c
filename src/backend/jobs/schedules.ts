import { rmSync } from 'node:fs';
import { contractError, type SyncSchedule } from '../../contract/index.ts';
import { writeDurably } from '../sites/durable-file.ts';
import { siteFolder } from '../sites/site-file.ts';
import { type FileLock, lockFile } from '../store/lock.ts';
import { othersOn, scheduleIn, scheduleLockIn } from './others.ts';

/** The sites that this process syncs on a schedule, noted for other processes, which then leave that to it. To be closed. */
export interface Schedules {
  /** Notes when the next sync begins. Throws `conflict` where another process has the site on a schedule. */
  keep(site: string, schedule: Omit<SyncSchedule, 'pid'>): void;
  end(site: string): void;
  close(): void;
}

export function createSchedules(home: string): Schedules {
  const held = new Map<string, FileLock>();

  function end(site: string): void {
    const lock = held.get(site);
    if (lock === undefined) return;
    held.delete(site);
    rmSync(scheduleIn(siteFolder(home, site)), { force: true });
    lock.release();
  }

  return {
    keep(site, schedule) {
      const folder = siteFolder(home, site);
      const lock = held.get(site) ?? lockFile(scheduleLockIn(folder));
      if (lock === null) throw contractError(alreadyKept(site, othersOn(folder).scheduled));
      held.set(site, lock);
      const note: SyncSchedule = { pid: process.pid, ...schedule };
      writeDurably(scheduleIn(folder), JSON.stringify(note));
    },
    end,
    close() {
      for (const site of [...held.keys()]) end(site);
    },
  };
}

function alreadyKept(site: string, by: SyncSchedule | null) {
  const who = by === null ? 'another process' : `process ${by.pid}, every ${by.every_minutes} min`;
  return {
    code: 'conflict' as const,
    message: `The site ${site} is synced on a schedule already, by ${who}.`,
    hint: 'Stop it there first, or sync once without --watch.',
    retryable: false,
  };
}
