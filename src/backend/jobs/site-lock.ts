import { readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { type ErrorValue, siteHolder, siteName } from '../../contract/index.ts';
import { writeDurably } from '../sites/durable-file.ts';
import { siteFolder } from '../sites/site-file.ts';
import { type FileLock, lockFile } from '../store/lock.ts';
import { holderIn } from './others.ts';
import { lockIn } from './worked-on.ts';

const holder = siteHolder;
export type Holder = z.infer<typeof holder>;

/**
 * One process works on a site at a time. Its first job takes the lock, its last one gives it back; jobs of the same process
 * share it. `sites/<site>/writer.json` says who holds it, for the message; the lock itself is the file beside it.
 */
export interface SiteLocks {
  /** Gives the release; or who holds the site. */
  take(site: string, what: string): { release: () => void } | { held: ErrorValue };
}

/** One holder of a site's lock a process, shared by its jobs; given back when the last of them ends. */
export function createSiteLocks(home: string): SiteLocks {
  const held = new Map<string, { lock: FileLock; jobs: number }>();
  const place = (site: string) => lockIn(siteFolder(home, siteName.parse(site)));
  const note = (site: string) => holderIn(siteFolder(home, site));

  function release(site: string): void {
    const ours = held.get(site);
    if (ours === undefined || --ours.jobs > 0) return;
    held.delete(site);
    rmSync(note(site), { force: true });
    ours.lock.release();
  }

  return {
    take(site, what) {
      const ours = held.get(site);
      if (ours !== undefined) {
        ours.jobs++;
      } else {
        const lock = lockFile(place(site));
        if (lock === null) return { held: heldBy(site, readHolder(note(site))) };
        held.set(site, { lock, jobs: 1 });
        const self: Holder = { pid: process.pid, started_at: new Date().toISOString(), what };
        writeDurably(note(site), JSON.stringify(self));
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

function readHolder(path: string): Holder | null {
  try {
    return holder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function heldBy(site: string, by: Holder | null): ErrorValue {
  const who =
    by === null
      ? 'another process'
      : `another process: ${by.what}, since ${by.started_at.slice(0, 16).replace('T', ' ')} UTC (process ${by.pid})`;
  return {
    code: 'conflict',
    message: `The site ${site} is being worked on by ${who}.`,
    hint: 'Wait until it is done, or stop it there.',
    retryable: true,
    ...(by === null ? {} : { detail: { pid: by.pid, what: by.what, started_at: by.started_at } }),
  };
}
