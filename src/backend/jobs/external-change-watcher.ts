import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSiteLocked } from '../sites/actual-job-state.ts';
import { hasRunningWork, interruptCrashedWork } from '../sites/crash-recovery.ts';
import { findOtherProcesses } from '../sites/other-processes.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { getSiteFolder } from '../sites/site-file.ts';
import { getDataVersion } from '../store/sqlite/change-detection.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { BOOKS_CHANGE_TOPICS, type ChangeTopic } from './change-events.ts';
import type { CommandContext } from './command-context.ts';

const POLL_INTERVAL_MS = 1000;
const CACHE_TOPICS: readonly ChangeTopic[] = [
  'webhooks',
  'statements',
  'allocations',
  'archive',
  'sync',
  'search',
];
/** Files watched for changes of databases that are not open in this process. */
const DATABASE_FILES = ['books.db', 'books.db-wal', 'cache.db', 'cache.db-wal'];

type WatcherContext = Pick<CommandContext, 'home' | 'stores' | 'jobs' | 'locks' | 'changes' | 'unexpected'>;

/** Emits change events for writes by other processes, and marks jobs of crashed processes as interrupted. */
export class ExternalChangeWatcher {
  readonly #context: WatcherContext;
  readonly #timer: NodeJS.Timeout;
  readonly #detector = new ChangeDetector();
  #openAtLastPoll = new Set<string>();

  constructor(context: WatcherContext) {
    this.#context = context;
    this.#pollFiles();
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Starts watching a site's open databases through their connections. */
  watchSite(site: string): void {
    this.#pollFiles();
    for (const each of this.#context.stores.opened()) {
      if (each.site !== site) continue;
      this.#detector.hasDatabaseChanged(each.cache);
      this.#detector.hasDatabaseChanged(each.books);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Polls the files next to the databases, and the databases of sites that are not open in this process. */
  #pollFiles(): void {
    const { home, stores, changes } = this.#context;
    const names = listSiteFolders(home);
    // Writes made before this process opened a database show only in its files, so the sites open at the last poll
    // count.
    const open = this.#openAtLastPoll;
    this.#openAtLastPoll = new Set(stores.opened().map(({ site }) => site));
    if (this.#detector.hasFileChanged('settings', [join(home, 'settings.json')]))
      changes.emit(null, 'settings');
    const siteFiles = names.map((site) => join(getSiteFolder(home, site), 'site.json'));
    if (this.#detector.hasFileChanged('sites', siteFiles)) changes.emit(null, 'sites');
    for (const site of names) this.#pollSiteFiles(site, open.has(site));
  }

  #pollSiteFiles(site: string, isOpen: boolean): void {
    const { home, changes } = this.#context;
    const folder = getSiteFolder(home, site);
    if (this.#detector.hasFileChanged(`backups of ${site}`, [join(folder, 'backups')]))
      changes.emit(site, 'backups');
    if (this.#detector.hasTextChanged(`processes of ${site}`, JSON.stringify(findOtherProcesses(folder))))
      changes.emit(site, 'sync');
    const paths = DATABASE_FILES.map((file) => join(folder, file));
    if (this.#detector.hasFileChanged(site, paths) && !isOpen)
      changes.emit(site, ...CACHE_TOPICS, ...BOOKS_CHANGE_TOPICS);
  }

  #poll(): void {
    const { stores, changes, unexpected } = this.#context;
    this.#pollFiles();
    for (const open of stores.opened()) {
      try {
        if (this.#detector.hasDatabaseChanged(open.cache)) changes.emit(open.site, ...CACHE_TOPICS);
        if (this.#detector.hasDatabaseChanged(open.books)) changes.emit(open.site, ...BOOKS_CHANGE_TOPICS);
        this.#interruptCrashedJobs(open);
      } catch (error) {
        unexpected(error, `polling ${open.site} for changes`);
      }
    }
  }

  #interruptCrashedJobs({ site, folder, cache, books }: ReturnType<SiteDatabases['opened']>[number]): void {
    const { jobs, locks, changes } = this.#context;
    if (jobs.findRunning(site) !== null || !hasRunningWork(books) || isSiteLocked(folder)) return;
    const lock = locks.acquire(site, 'crash recovery');
    if ('conflict' in lock) return;
    interruptCrashedWork({ cache, books }, Date.now());
    lock.release();
    changes.emit(site, 'jobs', 'sync', 'replay', 'allocations', 'archive');
  }
}

/** Detects changes since the previous call for the same subject. The first call returns false. */
class ChangeDetector {
  readonly #versions = new WeakMap<ReadableDb, number>();
  readonly #texts = new Map<string, string>();

  hasTextChanged(name: string, text: string): boolean {
    const before = this.#texts.get(name);
    this.#texts.set(name, text);
    return before !== undefined && before !== text;
  }

  /** Returns true if a file of a named group has changed since the previous call. */
  hasFileChanged(name: string, paths: readonly string[]): boolean {
    return this.hasTextChanged(name, paths.map(readFileStamp).join(' '));
  }

  /** Returns true if another connection has written to the database. */
  hasDatabaseChanged(db: ReadableDb): boolean {
    const version = getDataVersion(db);
    const before = this.#versions.get(db);
    this.#versions.set(db, version);
    return before !== undefined && before !== version;
  }
}

function listSiteFolders(home: string): string[] {
  try {
    return readdirSync(join(home, 'sites')).sort();
  } catch {
    return [];
  }
}

/** Returns a text that changes with the file. Empty files count as missing, because opening a database creates them. */
function readFileStamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return size === 0 ? '' : `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
