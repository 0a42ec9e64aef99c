import { interruptLeft, isAnyUnderWay } from '../sites/cutOff.ts';
import type { Stores } from '../sites/stores.ts';
import { versionByOthers } from '../store/changed.ts';
import type { ReadableDb } from '../store/database.ts';
import type { Changes, Topic } from './changes.ts';
import type { Jobs } from './jobs.ts';
import type { SiteLocks } from './siteLock.ts';
import { isWorkedOn } from './workedOn.ts';

/** What other processes do on the same home, told here as what is done here is. */
export interface Elsewhere {
  /** The site's stores were opened: what is written into them from now on is heard of. */
  opened(site: string): void;
  close(): void;
}

export interface ElsewhereTools {
  stores: Stores;
  jobs: Jobs;
  locks: SiteLocks;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
}

/** How often the stores are looked at. */
const LOOK_MS = 1000;
const OF_CACHE: readonly Topic[] = ['webhooks', 'statements', 'allocations', 'archive', 'sync'];
const OF_BOOKS: readonly Topic[] = [
  ...(['jobs', 'sync', 'replay', 'exceptions', 'bank', 'match', 'periods', 'archive', 'audit'] as const),
];

/**
 * Looks now and then whether another process wrote into a store that is open here, and whether one is gone without a word: what
 * it left running was cut off.
 */
export function createElsewhere({ stores, jobs, locks, changes, unexpected }: ElsewhereTools): Elsewhere {
  const seen = new WeakMap<ReadableDb, number>();

  function look(): void {
    for (const { site, folder, cache, books } of stores.opened()) {
      try {
        if (isOthers(cache)) changes.tell(site, ...OF_CACHE);
        if (isOthers(books)) changes.tell(site, ...OF_BOOKS);
        if (jobs.running(site) !== null || !isAnyUnderWay(books) || isWorkedOn(folder)) continue;
        const lock = locks.take(site, 'a look');
        if ('held' in lock) continue;
        interruptLeft({ cache, books }, Date.now());
        lock.release();
        changes.tell(site, 'jobs', 'sync', 'replay', 'allocations', 'archive');
      } catch (error) {
        unexpected(error, `looking at ${site}`);
      }
    }
  }

  /** Whether another connection has written since this was last asked. */
  function isOthers(db: ReadableDb): boolean {
    const version = versionByOthers(db);
    const before = seen.get(db);
    seen.set(db, version);
    return before !== undefined && before !== version;
  }

  const looking = setInterval(look, LOOK_MS);
  looking.unref();
  return {
    opened(site) {
      for (const each of stores.opened()) {
        if (each.site !== site) continue;
        isOthers(each.cache);
        isOthers(each.books);
      }
    },
    close: () => clearInterval(looking),
  };
}
