import { readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { type ErrorValue, siteHolder, siteName } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';
import { siteLockPath } from './interrupted-state.ts';
import { lockHolderPath } from './other-processes.ts';
import { siteFolder } from './site-file.ts';

const holder = siteHolder;
export type SiteLockHolder = z.infer<typeof holder>;

/**
 * Ensures that only one process works on a site at a time. The first job acquires the lock, the last one releases it;
 * jobs of the same process share it. `sites/<site>/writer.json` names the holder for messages. The lock is the file
 * beside it.
 */
export interface SiteLocks {
  /** Acquires the lock. Returns its release, or the error that names the holder. */
  take(site: string, activity: string): { release: () => void } | { conflict: ErrorValue };
}

/** Creates the site locks of this process. */
export function createSiteLocks(home: string): SiteLocks {
  const heldLocks = new Map<string, { lock: FileLock; jobs: number }>();
  const place = (site: string) => siteLockPath(siteFolder(home, siteName.parse(site)));
  const note = (site: string) => lockHolderPath(siteFolder(home, site));

  function release(site: string): void {
    const ours = heldLocks.get(site);
    if (ours === undefined || --ours.jobs > 0) return;
    heldLocks.delete(site);
    rmSync(note(site), { force: true });
    ours.lock.release();
  }

  return {
    take(site, activity) {
      const ours = heldLocks.get(site);
      if (ours !== undefined) {
        ours.jobs++;
      } else {
        const lock = lockFile(place(site));
        if (lock === null) return { conflict: heldBy(site, readHolder(note(site))) };
        heldLocks.set(site, { lock, jobs: 1 });
        const self: SiteLockHolder = { pid: process.pid, started_at: new Date().toISOString(), activity };
        writeFileDurably(note(site), JSON.stringify(self));
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
    return holder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function heldBy(site: string, by: SiteLockHolder | null): ErrorValue {
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
