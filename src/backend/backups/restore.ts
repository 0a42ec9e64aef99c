import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type BooksDifference,
  contractError,
  errorOf,
  type Inputs,
  type Outputs,
} from '../../contract/index.ts';
import { noteAnchor, readAnchor } from '../audit/anchor.ts';
import { startCheck } from '../checks/checks.ts';
import { renewPayments } from '../matching/renew.ts';
import { syncFolder } from '../sites/durable-file.ts';
import { noSuchSite, readSite, siteFolder } from '../sites/site-file.ts';
import type { OpenSite } from '../sites/stores.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import { addAudit } from '../store/books/audit.ts';
import { auditEnd } from '../store/books/audit-list.ts';
import { backUp, makeDurable } from '../store/books/backup.ts';
import type { ReadyCopy } from '../store/books/books-copy.ts';
import { checkState, saveCheckState } from '../store/checks/check-state.ts';
import { commit, connect, type WritableDb } from '../store/database.ts';
import { closeStore, openStore } from '../store/open.ts';
import { overwriteBooks, watchOf } from '../store/overwrite.ts';
import type { WriterContext } from '../writer-context.ts';
import { booksPath, examined } from './compare.ts';

/**
 * Puts a copy in the place of a site’s books, whole or not at all. What stood there is kept; the restored audit log says what was done and
 * where its predecessor ended. The cache is left as it is, and everything is checked anew against the books that came back.
 */
export async function restoreBooks(
  context: WriterContext,
  { site, from, shown, reason }: Inputs['backups']['restore'],
): Promise<Outputs['backups']['restore']> {
  const { home, jobs, locks, changes } = context;
  if (readSite(home, site) === null) throw contractError(noSuchSite(site));
  const folder = siteFolder(home, site);
  if (jobs.running(site) !== null) throw contractError(busy(site));
  const lock = locks.take(site, 'restoring the books');
  if ('held' in lock) throw contractError(lock.held);
  try {
    const sound = soundSite(context, site);
    // It sees every write of others from here on, up to when no more can be written.
    const watch = sound === null ? null : watchOf(booksPath(folder));
    try {
      const { ready, difference } = examined(folder, site, from);
      try {
        if (difference.shown !== shown) throw contractError(changedMeanwhile());
        if (sound !== null && difference.unlocks.length > 0) throw contractError(locked(difference.unlocks));
        const task: Task = { context, site, folder, ready, difference, reason };
        const kept_as =
          sound === null || watch === null
            ? replaceDamaged(task)
            : await replaceSound(task, sound, watch.isUnchanged);
        await renewAgain(context, context.stores.open(site));
        changes.tell(site, ...EVERYTHING_OF_BOOKS);
        return { kept_as, check: checkRestored(context, site) };
      } finally {
        ready.discard();
      }
    } finally {
      watch?.close();
    }
  } finally {
    lock.release();
  }
}

/** The payments as the cache has them now, which the copy may know from earlier. */
async function renewAgain({ now, user }: WriterContext, open: OpenSite): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  await renewPayments(open, {
    now: now(),
    by: user,
    cause: { what: 'restore', job: null },
    signal: new AbortController().signal,
    progress: () => {},
  });
}

const EVERYTHING_OF_BOOKS = [
  'sites',
  'exceptions',
  'bank',
  'match',
  'replay',
  'allocations',
  'archive',
  'periods',
  'audit',
  'jobs',
  'backups',
] as const;

/** The site where its books can be opened; null where they are damaged. */
function soundSite({ stores }: WriterContext, site: string): OpenSite | null {
  try {
    return stores.open(site);
  } catch (error) {
    if (errorOf(error).code === 'corrupt') return null;
    throw error;
  }
}

/** Starts the check that brings the restored books up to what is held; null where none can start now: the next sync makes up for it. */
function checkRestored(context: WriterContext, site: string): string | null {
  try {
    return startCheck(context, site).id;
  } catch {
    return null;
  }
}

interface Task {
  readonly context: WriterContext;
  readonly site: string;
  readonly folder: string;
  readonly ready: ReadyCopy;
  readonly difference: BooksDifference;
  readonly reason: string;
}

/** In one transaction of SQLite’s: killed at any moment, the books are the old ones or the new ones. */
async function replaceSound(
  task: Task,
  { books, cache }: OpenSite,
  isUnchanged: () => boolean,
): Promise<string> {
  const { context, site, folder, ready } = task;
  noteAnchor(folder, books, context.now());
  const aside = backUp(books, booksPath(folder), 'restore', context.now());
  writeDown(task, auditEnd(books), aside.name);
  checkAnew(cache);
  await overwriteBooks(ready.path, booksPath(folder), isUnchanged);
  context.stores.close(site);
  return aside.name;
}

/** Damaged books are kept beside the new ones as they are; their place is never empty. */
function replaceDamaged(task: Task): string {
  const { context, site, folder, ready } = task;
  context.stores.close(site);
  const path = booksPath(folder);
  const aside = `${path}.damaged-${new Date(context.now()).toISOString().replace(/[-:.]/g, '')}`;
  const anchor = readAnchor(folder);
  const end = anchor === null ? null : { seq: anchor.entries, hash: anchor.hash };
  writeDown(task, end, basename(aside));
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  checkAnew(cache);
  closeStore(cache);
  if (existsSync(path)) keepBeside(path, aside);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  renameSync(ready.path, path);
  rmSync(`${path}.suspect`, { force: true });
  syncFolder(dirname(path));
  return basename(aside);
}

function keepBeside(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    // Not every file system has links.
    copyFileSync(path, aside);
    makeDurable(aside);
  }
}

/** Adds to the copy that is made ready what is being done with it. `end`: of the audit log that it takes the place of. */
function writeDown(
  { context: { now, user }, ready, difference, reason }: Task,
  end: { seq: number; hash: string } | null,
  keptAs: string,
): void {
  const db = connect(ready.path) as WritableDb;
  try {
    db.pragma('synchronous = FULL');
    const counts = difference.parts.map(
      ({ part, lost, back, changed }) => [part, { lost, back, changed }] as const,
    );
    const detail = {
      copy_made_at: difference.copy.made_at,
      kept_as: keptAs,
      replaced_entries: end?.seq ?? null,
      replaced_hash: end?.hash ?? null,
      difference: Object.fromEntries(counts),
    };
    const subject = difference.copy.name;
    commit(db, () =>
      addAudit(db, { at: now(), who: user, action: 'backups.restore', subject, why: reason, detail }),
    );
  } finally {
    db.close();
  }
  makeDurable(ready.path);
}

/** What was checked was checked against other books. */
function checkAnew(cache: WritableDb): void {
  commit(cache, () => saveCheckState(cache, { ...checkState(cache), full_at: null }));
}

function busy(site: string) {
  return {
    code: 'conflict' as const,
    message: `A job is running on ${site}, so its books are not replaced now.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
  };
}

function locked(periods: readonly string[]) {
  return {
    code: 'period_locked' as const,
    message: `The copy does not have the sign-off of ${periods.join(', ')}.`,
    hint: 'Reopen what is closed first, with the reason; nothing was changed.',
    retryable: false,
  };
}

function changedMeanwhile() {
  return {
    code: 'conflict' as const,
    message: 'The books or the copy are not as they were when the difference was shown.',
    hint: 'Look at the difference again; nothing was changed.',
    retryable: false,
  };
}
