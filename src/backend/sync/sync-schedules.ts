import { rmSync } from 'node:fs';
import { contractError, type SyncSchedule } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { findOtherProcesses, scheduleFilePath, scheduleLockPath } from '../sites/other-processes.ts';
import { siteFolder } from '../sites/site-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';

/**
 * Records which sites this process syncs on a schedule, so that no other process schedules them as well. Must be closed.
 */
export interface SyncSchedules {
  /** Records the schedule of a site. Throws `conflict` if another process already syncs the site on a schedule. */
  save(site: string, schedule: Omit<SyncSchedule, 'pid'>): void;
  end(site: string): void;
  close(): void;
}

export function createSyncSchedules(home: string): SyncSchedules {
  const stored = new Map<string, FileLock>();

  function end(site: string): void {
    const lock = stored.get(site);
    if (lock === undefined) return;
    stored.delete(site);
    rmSync(scheduleFilePath(siteFolder(home, site)), { force: true });
    lock.release();
  }

  return {
    save(site, schedule) {
      const folder = siteFolder(home, site);
      const lock = stored.get(site) ?? lockFile(scheduleLockPath(folder));
      if (lock === null)
        throw contractError(alreadyScheduledError(site, findOtherProcesses(folder).scheduled));
      stored.set(site, lock);
      const ownSchedule: SyncSchedule = { pid: process.pid, ...schedule };
      writeFileDurably(scheduleFilePath(folder), JSON.stringify(ownSchedule));
    },
    end,
    close() {
      for (const site of [...stored.keys()]) end(site);
    },
  };
}

function alreadyScheduledError(site: string, by: SyncSchedule | null) {
  const user = by === null ? 'another process' : `process ${by.pid} (every ${by.every_minutes} min)`;
  return {
    code: 'conflict' as const,
    message: `Site ${site} is already synced on a schedule by ${user}.`,
    hint: 'Stop that schedule first, or sync once without --watch.',
    retryable: false,
  };
}
