import { readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { type ErrorValue, siteNameSchema, siteProcessSchema } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { type FileLock, lockFile } from '../store/sqlite/file-lock.ts';
import { getSiteLockPath } from './actual-job-state.ts';
import { getLockHolderPath } from './other-processes.ts';
import { getSiteFolder } from './site-file.ts';

export type SiteLockHolder = z.infer<typeof siteProcessSchema>;

/** Lets only one process at a time work on a site. `sites/<site>/writer.json` names it for conflict messages. */
export class SiteLocks {
  readonly #home: string;
  readonly #locksBySite = new Map<string, { lock: FileLock; jobs: number }>();

  constructor(home: string) {
    this.#home = home;
  }

  /** Acquires the lock. Returns a function that releases it, or an error that names the process working on the site. */
  acquire(site: string, activity: string): { release: () => void } | { conflict: ErrorValue } {
    const ownLock = this.#locksBySite.get(site);
    if (ownLock !== undefined) {
      ownLock.jobs++;
    } else {
      const folder = getSiteFolder(this.#home, siteNameSchema.parse(site));
      const lock = lockFile(getSiteLockPath(folder));
      const holderPath = getLockHolderPath(folder);
      if (lock === null) return { conflict: lockConflictError(site, readHolder(holderPath)) };
      this.#locksBySite.set(site, { lock, jobs: 1 });
      const self: SiteLockHolder = { pid: process.pid, started_at: new Date().toISOString(), activity };
      writeFileDurably(holderPath, JSON.stringify(self));
    }
    let open = true;
    return {
      release: () => {
        if (open) this.#release(site);
        open = false;
      },
    };
  }

  #release(site: string): void {
    const ownLock = this.#locksBySite.get(site);
    if (ownLock === undefined || --ownLock.jobs > 0) return;
    this.#locksBySite.delete(site);
    rmSync(getLockHolderPath(getSiteFolder(this.#home, site)), { force: true });
    ownLock.lock.release();
  }
}

function readHolder(path: string): SiteLockHolder | null {
  try {
    return siteProcessSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
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
    message: `The site ${site} is in use by ${user}.`,
    hint: 'Wait until it has finished, or stop it there.',
    retryable: true,
    ...(by === null ? {} : { detail: { pid: by.pid, activity: by.activity, started_at: by.started_at } }),
  };
}
