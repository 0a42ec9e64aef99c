import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type BooksDifference,
  contractError,
  errorOf,
  type Inputs,
  type Outputs,
} from '../../contract/index.ts';
import { startCheck } from '../checks/checks.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { updatePayments } from '../matching/renew.ts';
import { syncFolder } from '../shared/durable-file.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { noSuchSiteError, readSite, siteFolder } from '../sites/site-file.ts';
import { noteAnchor, readAnchor } from '../store/audit-log/audit-anchor.ts';
import { auditEnd } from '../store/audit-log/audit-list.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { backUp, makeDurable } from '../store/backups/backup.ts';
import type { ReadyCopy } from '../store/backups/books-copy.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import { checkState, saveCheckState } from '../store/checks/check-state.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { overwriteBooks, watchOf } from '../store/database/overwrite-books.ts';
import { commit, connect, type WritableDb } from '../store/sqlite/connection.ts';
import { booksPath, withPreparedBackup } from './compare.ts';

/**
 * Replaces a site's books by a backup, completely or not at all, and keeps the replaced books. The restored audit log
 * records the restore and the end of the replaced log. The cache stays, and everything is checked again against the
 * restored books.
 */
export async function restoreBooks(
  context: CommandContext,
  { site, from, fingerprint: shown, reason }: Inputs['backups']['restore'],
): Promise<Outputs['backups']['restore']> {
  const { home, jobs, locks, changes } = context;
  if (readSite(home, site) === null) throw contractError(noSuchSiteError(site));
  const folder = siteFolder(home, site);
  if (jobs.running(site) !== null) throw contractError(busy(site));
  const lock = locks.take(site, 'restoring the books');
  if ('conflict' in lock) throw contractError(lock.conflict);
  try {
    const sound = soundSite(context, site);
    // Detects every write by others from here on until no more writes are possible.
    const watch = sound === null ? null : watchOf(booksPath(folder));
    try {
      const { ready, difference } = withPreparedBackup(folder, site, from);
      try {
        if (difference.fingerprint !== shown) throw contractError(changedMeanwhile());
        if (sound !== null && difference.unlocks.length > 0) throw contractError(locked(difference.unlocks));
        const task: Task = { context, site, folder, ready, difference, reason };
        const saved_as =
          sound === null || watch === null
            ? replaceDamaged(task)
            : await replaceSound(task, sound, watch.isUnchanged);
        await renewAgain(context, context.stores.open(site));
        changes.tell(site, ...EVERYTHING_OF_BOOKS);
        return { saved_as, check: checkRestored(context, site) };
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

/** Updates the payments from the cache, because the backup may have older ones. */
async function renewAgain({ now, user }: CommandContext, open: OpenSite): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  await updatePayments(open, {
    now: now(),
    by: user,
    cause: { action: 'restore', job: null },
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

/** Returns the site if its books can be opened, or null if they are damaged. */
function soundSite({ stores }: CommandContext, site: string): OpenSite | null {
  try {
    return stores.open(site);
  } catch (error) {
    if (errorOf(error).code === 'corrupt') return null;
    throw error;
  }
}

/** Starts the check that updates the restored books. Returns null if none can start now; the next sync then does it. */
function checkRestored(context: CommandContext, site: string): string | null {
  try {
    return startCheck(context, site).id;
  } catch {
    return null;
  }
}

interface Task {
  readonly context: CommandContext;
  readonly site: string;
  readonly folder: string;
  readonly ready: ReadyCopy;
  readonly difference: BooksDifference;
  readonly reason: string;
}

/** Replaces intact books in one SQLite transaction: after a crash they are the old or the new ones. */
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

/** Replaces damaged books and keeps them beside the new ones. The path always has a file. */
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
    // Not every file system supports hard links.
    copyFileSync(path, aside);
    makeDurable(aside);
  }
}

/** Adds the restore to the audit log of the prepared backup. `end` is the end of the replaced audit log. */
function writeDown(
  { context: { now, user }, ready, difference, reason }: Task,
  end: { seq: number; hash: string } | null,
  keptAs: string,
): void {
  const db = connect(ready.path) as WritableDb;
  try {
    db.pragma('synchronous = FULL');
    const counts = difference.parts.map(
      ({ part, lost, restored: back, changed }) => [part, { lost, restored: back, changed }] as const,
    );
    const detail = {
      copy_made_at: difference.copy.made_at,
      saved_as: keptAs,
      replaced_entries: end?.seq ?? null,
      replaced_hash: end?.hash ?? null,
      difference: Object.fromEntries(counts),
    };
    const subject = difference.copy.name;
    commit(db, () =>
      addAudit(db, { at: now(), user: user, action: 'backups.restore', subject, reason: reason, detail }),
    );
  } finally {
    db.close();
  }
  makeDurable(ready.path);
}

/** Marks everything for checking, because earlier checks were compared with other books. */
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
