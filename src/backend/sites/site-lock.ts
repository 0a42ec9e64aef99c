import { readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { type ErrorValue, siteHolderSchema, siteNameSchema } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';
import { siteLockPath } from './actual-job-state.ts';
import { lockHolderPath } from './other-processes.ts';
import { siteFolder } from './site-file.ts';

export type SiteLockHolder = z.infer<typeof siteHolderSchema>;

/**
 * Ensures that only one process works on a site at a time. The first job of a process acquires the lock, and the last one
 * releases it. `sites/<site>/writer.json` names the process, for conflict messages.
 */
export interface SiteLocks {
  /** Acquires the lock. Returns a function that releases it, or the error that names the process working on the site. */
  acquire(site: string, activity: string): { release: () => void } | { conflict: ErrorValue };
}

/** Creates the site locks of this process. */
export function createSiteLocks(home: string): SiteLocks {
  const locksBySite = new Map<string, { lock: FileLock; jobs: number }>();
  const lockPath = (site: string) => siteLockPath(siteFolder(home, siteNameSchema.parse(site)));
  const holderPath = (site: string) => lockHolderPath(siteFolder(home, site));

  function release(site: string): void {
    const ownLock = locksBySite.get(site);
    if (ownLock === undefined || --ownLock.jobs > 0) return;
    locksBySite.delete(site);
    rmSync(holderPath(site), { force: true });
    ownLock.lock.release();
  }

  return {
    acquire(site, activity) {
      const ownLock = locksBySite.get(site);
      if (ownLock !== undefined) {
        ownLock.jobs++;
      } else {
        const lock = lockFile(lockPath(site));
        if (lock === null) return { conflict: lockConflictError(site, readHolder(holderPath(site))) };
        locksBySite.set(site, { lock, jobs: 1 });
        const self: SiteLockHolder = { pid: process.pid, started_at: new Date().toISOString(), activity };
        writeFileDurably(holderPath(site), JSON.stringify(self));
      }
      let open = true;
      return {
        release: () => {
          if (open) release(site);
          open = false;
        },
      };
    },
  };
}

function readHolder(path: string): SiteLockHolder | null {
  try {
    return siteHolderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function lockConflictError(site: string, by: SiteLockHolder | null): ErrorValue {
  const user =
    by === null
      ? 'another process'
      : `another process: ${by.activity}, since ${by.started_at.slice(0, 16).replace('T', ' ')} UTC (process ${by.pid})`;
  return {
    code: 'conflict',
    message: `The site ${site} is being worked on by ${user}.`,
    hint: 'Wait until it is done, or stop it there.',
    retryable: true,
    ...(by === null ? {} : { detail: { pid: by.pid, activity: by.activity, started_at: by.started_at } }),
  };
}
