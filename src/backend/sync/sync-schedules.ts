import { rmSync } from 'node:fs';
import { createNonRetryableError, type SyncSchedule } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { findOtherProcesses, getScheduleFilePath, getScheduleLockPath } from '../sites/other-processes.ts';
import { getSiteFolder } from '../sites/site-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';

/** Records which sites this process syncs on a schedule, so that no other process schedules the same site. */
export class SyncSchedules {
  readonly #home: string;
  readonly #locks = new Map<string, FileLock>();

  constructor(home: string) {
    this.#home = home;
  }

  /** Records the schedule of a site. Throws `conflict` if another process already syncs the site on a schedule. */
  save(site: string, schedule: Omit<SyncSchedule, 'pid'>): void {
    const folder = getSiteFolder(this.#home, site);
    const lock = this.#locks.get(site) ?? lockFile(getScheduleLockPath(folder));
    if (lock === null) throw alreadyScheduledError(site, findOtherProcesses(folder).scheduled);
    this.#locks.set(site, lock);
    const ownSchedule: SyncSchedule = { pid: process.pid, ...schedule };
    writeFileDurably(getScheduleFilePath(folder), JSON.stringify(ownSchedule));
  }

  end(site: string): void {
    const lock = this.#locks.get(site);
    if (lock === undefined) return;
    this.#locks.delete(site);
    rmSync(getScheduleFilePath(getSiteFolder(this.#home, site)), { force: true });
    lock.release();
  }

  close(): void {
    for (const site of [...this.#locks.keys()]) this.end(site);
  }
}

function alreadyScheduledError(site: string, by: SyncSchedule | null) {
  const user = by === null ? 'another process' : `process ${by.pid} (every ${by.every_minutes} min)`;
  return createNonRetryableError(
    'conflict',
    `Site ${site} is already synced on a schedule by ${user}.`,
    'Stop that schedule first, or sync once without --watch.',
  );
}
