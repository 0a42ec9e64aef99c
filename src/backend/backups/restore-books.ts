import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type BooksDifference,
  contractError,
  errorOf,
  type Inputs,
  type Outputs,
} from '../../contract/index.ts';
import { startCheck } from '../checks/check-jobs.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { updatePayments } from '../matching/update-payments.ts';
import { syncFolder } from '../shared/durable-file.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { readSite, siteFolder, unknownSiteError } from '../sites/site-file.ts';
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
import { booksPath, withPreparedBackup } from './compare-backup.ts';

/**
 * Replaces a site's books by a backup, completely or not at all. The replaced books are preserved. The restored audit log
 * records the restore and the end of the replaced log. The cache is unchanged, and everything is checked again against
 * the restored books.
 */
export async function restoreBooks(
  context: CommandContext,
  { site, from, fingerprint: confirmedFingerprint, reason }: Inputs['backups']['restore'],
): Promise<Outputs['backups']['restore']> {
  const { home, jobs, locks, changes } = context;
  if (readSite(home, site) === null) throw contractError(unknownSiteError(site));
  const folder = siteFolder(home, site);
  if (jobs.findRunning(site) !== null) throw contractError(jobRunningError(site));
  const lock = locks.acquire(site, 'restoring the books');
  if ('conflict' in lock) throw contractError(lock.conflict);
  try {
    const intactSite = openIntactSite(context, site);
    // Detects every write to the books from here on, until no more writes are possible.
    const watch = intactSite === null ? null : watchOf(booksPath(folder));
    try {
      const { ready, difference } = withPreparedBackup(folder, site, from);
      try {
        if (difference.fingerprint !== confirmedFingerprint) throw contractError(changedSincePreviewError());
        if (intactSite !== null && difference.unlocks.length > 0)
          throw contractError(periodsUnlockedError(difference.unlocks));
        const task: RestoreTask = { context, site, folder, ready, difference, reason };
        const saved_as =
          intactSite === null || watch === null
            ? replaceDamagedBooks(task)
            : await replaceIntactBooks(task, intactSite, watch.isUnchanged);
        await updatePaymentsAfterRestore(context, context.stores.open(site));
        changes.emit(site, ...BOOKS_TOPICS);
        return { saved_as, check: startCheckAfterRestore(context, site) };
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

/** Updates the payments from the cache, because those in the backup may be older. */
async function updatePaymentsAfterRestore({ now, user }: CommandContext, open: OpenSite): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  await updatePayments(open, {
    now: now(),
    by: user,
    cause: { action: 'restore', job: null },
    signal: new AbortController().signal,
    progress: () => {},
  });
}

const BOOKS_TOPICS = [
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
function openIntactSite({ stores }: CommandContext, site: string): OpenSite | null {
  try {
    return stores.open(site);
  } catch (error) {
    if (errorOf(error).code === 'corrupt') return null;
    throw error;
  }
}

/** Starts a full check after a restore. Returns null if no check can start now; the next sync then checks everything. */
function startCheckAfterRestore(context: CommandContext, site: string): string | null {
  try {
    return startCheck(context, site).id;
  } catch {
    return null;
  }
}

interface RestoreTask {
  readonly context: CommandContext;
  readonly site: string;
  readonly folder: string;
  readonly ready: ReadyCopy;
  readonly difference: BooksDifference;
  readonly reason: string;
}

/** Replaces intact books in one SQLite transaction, so that after a crash they are either the old or the new books. */
async function replaceIntactBooks(
  task: RestoreTask,
  { books, cache }: OpenSite,
  isUnchanged: () => boolean,
): Promise<string> {
  const { context, site, folder, ready } = task;
  noteAnchor(folder, books, context.now());
  const savedCopy = backUp(books, booksPath(folder), 'restore', context.now());
  recordRestore(task, auditEnd(books), savedCopy.name);
  markAllUnchecked(cache);
  await overwriteBooks(ready.path, booksPath(folder), isUnchanged);
  context.stores.close(site);
  return savedCopy.name;
}

/** Replaces damaged books and preserves them under another name. A file exists at the books' path at any time. */
function replaceDamagedBooks(task: RestoreTask): string {
  const { context, site, folder, ready } = task;
  context.stores.close(site);
  const path = booksPath(folder);
  const savedCopy = `${path}.damaged-${new Date(context.now()).toISOString().replace(/[-:.]/g, '')}`;
  const anchor = readAnchor(folder);
  const end = anchor === null ? null : { seq: anchor.entries, hash: anchor.hash };
  recordRestore(task, end, basename(savedCopy));
  const cache = openStore(join(folder, 'cache.db'), 'cache');
  markAllUnchecked(cache);
  closeStore(cache);
  if (existsSync(path)) preserveFile(path, savedCopy);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, savedCopy + suffix);
  }
  renameSync(ready.path, path);
  rmSync(`${path}.suspect`, { force: true });
  syncFolder(dirname(path));
  return basename(savedCopy);
}

function preserveFile(path: string, savedCopy: string): void {
  try {
    linkSync(path, savedCopy);
  } catch {
    // Some file systems do not support hard links.
    copyFileSync(path, savedCopy);
    makeDurable(savedCopy);
  }
}

/** Adds the restore to the audit log of the prepared backup. `end` is the end of the replaced audit log. */
function recordRestore(
  { context: { now, user }, ready, difference, reason }: RestoreTask,
  end: { seq: number; hash: string } | null,
  savedAs: string,
): void {
  const db = connect(ready.path) as WritableDb;
  try {
    db.pragma('synchronous = FULL');
    const counts = difference.parts.map(
      ({ part, lost, restored: back, changed }) => [part, { lost, restored: back, changed }] as const,
    );
    const detail = {
      copy_made_at: difference.copy.made_at,
      saved_as: savedAs,
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

/** Marks everything as unchecked, because earlier check results belong to other books. */
function markAllUnchecked(cache: WritableDb): void {
  commit(cache, () => saveCheckState(cache, { ...checkState(cache), full_at: null }));
}

function jobRunningError(site: string) {
  return {
    code: 'conflict' as const,
    message: `A job is running on ${site}, so its books are not replaced now.`,
    hint: 'Wait until it is done, or cancel it.',
    retryable: true,
  };
}

function periodsUnlockedError(periods: readonly string[]) {
  return {
    code: 'period_locked' as const,
    message: `The copy does not have the sign-off of ${periods.join(', ')}.`,
    hint: 'Reopen what is closed first, with the reason; nothing was changed.',
    retryable: false,
  };
}

function changedSincePreviewError() {
  return {
    code: 'conflict' as const,
    message: 'The books or the copy are not as they were when the difference was shown.',
    hint: 'Look at the difference again; nothing was changed.',
    retryable: false,
  };
}
