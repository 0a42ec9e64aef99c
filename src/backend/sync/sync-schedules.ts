import { rmSync } from 'node:fs';
import { contractError, type SyncSchedule } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { otherProcessesOn, scheduleLockPath, schedulePath } from '../sites/other-processes.ts';
import { siteFolder } from '../sites/site-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';

/** Records which sites this process syncs on a schedule, so that other processes leave that to it. Must be closed. */
export interface Schedules {
  /** Records when the next sync starts. Throws `conflict` if another process has scheduled the site. */
  keep(site: string, schedule: Omit<SyncSchedule, 'pid'>): void;
  end(site: string): void;
  close(): void;
}

export function createSchedules(home: string): Schedules {
  const stored = new Map<string, FileLock>();

  function end(site: string): void {
    const lock = stored.get(site);
    if (lock === undefined) return;
    stored.delete(site);
    rmSync(schedulePath(siteFolder(home, site)), { force: true });
    lock.release();
  }

  return {
    keep(site, schedule) {
      const folder = siteFolder(home, site);
      const lock = stored.get(site) ?? lockFile(scheduleLockPath(folder));
      if (lock === null) throw contractError(alreadyKept(site, otherProcessesOn(folder).scheduled));
      stored.set(site, lock);
      const note: SyncSchedule = { pid: process.pid, ...schedule };
      writeFileDurably(schedulePath(folder), JSON.stringify(note));
    },
    end,
    close() {
      for (const site of [...stored.keys()]) end(site);
    },
  };
}

function alreadyKept(site: string, by: SyncSchedule | null) {
  const user = by === null ? 'another process' : `process ${by.pid}, every ${by.every_minutes} min`;
  return {
    code: 'conflict' as const,
    message: `The site ${site} is synced on a schedule already, by ${user}.`,
    hint: 'Stop it there first, or sync once without --watch.',
    retryable: false,
  };
}
