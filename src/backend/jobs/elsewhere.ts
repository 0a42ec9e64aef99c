import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { interruptLeft, isAnyUnderWay } from '../sites/cut-off.ts';
import { siteFolder } from '../sites/site-file.ts';
import type { Stores } from '../sites/stores.ts';
import { versionByOthers } from '../store/changed.ts';
import type { ReadableDb } from '../store/database.ts';
import type { Changes, Topic } from './changes.ts';
import type { Jobs } from './jobs.ts';
import { othersOn } from './others.ts';
import type { SiteLocks } from './site-lock.ts';
import { isWorkedOn } from './worked-on.ts';

/** What other processes do on the same home, told here as what is done here is. */
export interface Elsewhere {
  /** The site's stores were opened: what is written into them from now on is heard of. */
  opened(site: string): void;
  close(): void;
}

export interface ElsewhereTools {
  home: string;
  stores: Stores;
  jobs: Jobs;
  locks: SiteLocks;
  changes: Changes;
  unexpected: (error: unknown, doing: string) => string;
}

/** How often the stores are looked at. */
const LOOK_MS = 1000;
const OF_CACHE: readonly Topic[] = ['webhooks', 'statements', 'allocations', 'archive', 'sync', 'search'];
const OF_BOOKS: readonly Topic[] = [
  ...([
    'jobs',
    'sync',
    'replay',
    'allocations',
    'exceptions',
    'bank',
    'match',
    'periods',
    'archive',
  ] as const),
  ...(['audit', 'sites'] as const),
];
/** The files in which a store’s changes show while it is not open here. */
const STORES = ['books.db', 'books.db-wal', 'cache.db', 'cache.db-wal'];

/**
 * Looks now and then whether another process wrote into a store or a file of the home, and whether one is gone without a word: what
 * it left running was cut off.
 */
export function createElsewhere({
  home,
  stores,
  jobs,
  locks,
  changes,
  unexpected,
}: ElsewhereTools): Elsewhere {
  const seen = new WeakMap<ReadableDb, number>();
  const stamps = new Map<string, string>();
  let openBefore = new Set<string>();

  /** Whether files are otherwise than when this was last asked. */
  function isOtherwise(what: string, paths: readonly string[]): boolean {
    return isNew(what, paths.map(stampOf).join(' '));
  }

  function isNew(what: string, stamp: string): boolean {
    const before = stamps.get(what);
    stamps.set(what, stamp);
    return before !== undefined && before !== stamp;
  }

  /** What is kept in files beside the stores, and the stores of sites that nobody here has opened. */
  function lookAtFiles(): void {
    const names = sitesIn(home);
    // What was written into a store up to its opening here shows in its files.
    const open = openBefore;
    openBefore = new Set(stores.opened().map(({ site }) => site));
    if (isOtherwise('settings', [join(home, 'settings.json')])) changes.tell(null, 'settings');
    if (
      isOtherwise(
        'sites',
        names.map((site) => join(siteFolder(home, site), 'site.json')),
      )
    ) {
      changes.tell(null, 'sites');
    }
    for (const site of names) {
      const folder = siteFolder(home, site);
      if (isOtherwise(`copies of ${site}`, [join(folder, 'backups')])) changes.tell(site, 'backups');
      if (isNew(`others on ${site}`, JSON.stringify(othersOn(folder)))) changes.tell(site, 'sync');
      const paths = STORES.map((file) => join(folder, file));
      if (isOtherwise(site, paths) && !open.has(site)) changes.tell(site, ...OF_CACHE, ...OF_BOOKS);
    }
  }

  function look(): void {
    lookAtFiles();
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

  lookAtFiles();
  const looking = setInterval(look, LOOK_MS);
  looking.unref();
  return {
    opened(site) {
      lookAtFiles();
      for (const each of stores.opened()) {
        if (each.site !== site) continue;
        isOthers(each.cache);
        isOthers(each.books);
      }
    },
    close: () => clearInterval(looking),
  };
}

function sitesIn(home: string): string[] {
  try {
    return readdirSync(join(home, 'sites')).sort();
  } catch {
    return [];
  }
}

/** Another text after a file was written, or a folder got or lost a file. An empty one is as none: opening a store makes its log. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return size === 0 ? '' : `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
