import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type BooksDifference,
  type ContractInputs,
  type ContractOutputs,
  createContractError,
  createNonRetryableError,
  toContractError,
} from '../../contract/index.ts';
import { startCheck } from '../checks/check-jobs.ts';
import { BOOKS_CHANGE_TOPICS } from '../jobs/change-events.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { updatePayments } from '../matching/update-payments.ts';
import { flushFolderToDisk } from '../shared/durable-file.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { createUnknownSiteError, getSiteFolder, readSite } from '../sites/site-file.ts';
import { readAuditAnchor, writeAuditAnchor } from '../store/audit-log/audit-anchor.ts';
import { findAuditLogEnd } from '../store/audit-log/audit-entry-list.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { backUpBooks, fsyncFile } from '../store/backups/back-up-books.ts';
import type { PreparedBackup } from '../store/backups/prepare-backup.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import { readCheckState, saveCheckState } from '../store/checks/check-state.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { overwriteBooks, watchDatabaseWrites } from '../store/database/overwrite-books.ts';
import { openSqlite, runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';
import { getBooksPath, prepareBackupForRestore } from './compare-backup.ts';

/**
 * Replaces a site's books by a backup, completely or not at all. Preserves the replaced books and leaves the cache
 * unchanged. The restored audit log records the restore and the end of the replaced log.
 */
export async function restoreBooks(
  context: CommandContext,
  { site, from, fingerprint: confirmedFingerprint, reason }: ContractInputs['backups']['restore'],
): Promise<ContractOutputs['backups']['restore']> {
  const { home, jobs, locks, changes } = context;
  if (readSite(home, site) === null) throw createContractError(createUnknownSiteError(site));
  const folder = getSiteFolder(home, site);
  if (jobs.findRunning(site) !== null) throw createContractError(jobRunningError(site));
  const lock = locks.acquire(site, 'restoring the books');
  if ('conflict' in lock) throw createContractError(lock.conflict);
  try {
    const intactSite = openIntactSite(context, site);
    // Detects every write to the books from this point until no more writes are possible.
    const watch = intactSite === null ? null : watchDatabaseWrites(getBooksPath(folder));
    try {
      const { ready, difference } = prepareBackupForRestore(folder, site, from);
      try {
        if (difference.fingerprint !== confirmedFingerprint) throw changedSincePreviewError();
        if (intactSite !== null && difference.unlocks.length > 0)
          throw periodsUnlockedError(difference.unlocks);
        const task: RestoreTask = { context, site, folder, ready, difference, reason };
        const saved_as =
          intactSite === null || watch === null
            ? replaceDamagedBooks(task)
            : await replaceIntactBooks(task, intactSite, watch.isUnchanged);
        await updatePaymentsAfterRestore(context, context.stores.open(site));
        changes.emit(site, ...BOOKS_CHANGE_TOPICS, 'backups');
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

/** Updates the restored payments from the cache, because the backup's payments may be outdated. */
async function updatePaymentsAfterRestore({ now, user }: CommandContext, open: OpenSite): Promise<void> {
  if (listStoredBankAccounts(open.books).length === 0) return;
  await updatePayments(open, {
    now: now(),
    by: user,
    cause: { action: 'restore', job: null },
    signal: new AbortController().signal,
    progress: () => {},
  });
}

/** Returns the site if its books can be opened, or null if they are damaged. */
function openIntactSite({ stores }: CommandContext, site: string): OpenSite | null {
  try {
    return stores.open(site);
  } catch (error) {
    if (toContractError(error).code === 'corrupt') return null;
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
  readonly ready: PreparedBackup;
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
  writeAuditAnchor(folder, books, context.now());
  const savedCopy = backUpBooks(books, getBooksPath(folder), 'restore', context.now());
  recordRestore(task, findAuditLogEnd(books), savedCopy.name);
  markAllUnchecked(cache);
  await overwriteBooks(ready.path, getBooksPath(folder), isUnchanged);
  context.stores.close(site);
  return savedCopy.name;
}

/** Replaces damaged books and preserves them under another name. The books file is never missing in between. */
function replaceDamagedBooks(task: RestoreTask): string {
  const { context, site, folder, ready } = task;
  context.stores.close(site);
  const path = getBooksPath(folder);
  const savedCopy = `${path}.damaged-${new Date(context.now()).toISOString().replace(/[-:.]/g, '')}`;
  const anchor = readAuditAnchor(folder);
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
  flushFolderToDisk(dirname(path));
  return basename(savedCopy);
}

function preserveFile(path: string, savedCopy: string): void {
  try {
    linkSync(path, savedCopy);
  } catch {
    // Copies the file instead if the file system does not support hard links.
    copyFileSync(path, savedCopy);
    fsyncFile(savedCopy);
  }
}

/** Adds the restore to the audit log of the prepared backup. `end` is the last entry of the replaced audit log. */
function recordRestore(
  { context: { now, user }, ready, difference, reason }: RestoreTask,
  end: { seq: number; hash: string } | null,
  savedAs: string,
): void {
  const db = openSqlite(ready.path) as WritableDb;
  try {
    db.pragma('synchronous = FULL');
    const counts = difference.parts.map(
      ({ part, lost, restored, changed }) => [part, { lost, restored, changed }] as const,
    );
    const detail = {
      copy_made_at: difference.copy.made_at,
      saved_as: savedAs,
      replaced_entries: end?.seq ?? null,
      replaced_hash: end?.hash ?? null,
      difference: Object.fromEntries(counts),
    };
    const subject = difference.copy.name;
    runInTransaction(db, () =>
      addAuditEntry(db, { at: now(), user, action: 'backups.restore', subject, reason, detail }),
    );
  } finally {
    db.close();
  }
  fsyncFile(ready.path);
}

/** Marks all records as unchecked, because earlier check results belong to other books. */
function markAllUnchecked(cache: WritableDb): void {
  runInTransaction(cache, () => saveCheckState(cache, { ...readCheckState(cache), full_at: null }));
}

function jobRunningError(site: string) {
  return {
    code: 'conflict' as const,
    message: `The books of ${site} cannot be replaced while a job is running.`,
    hint: 'Wait until it has finished, or cancel it.',
    retryable: true,
  };
}

function periodsUnlockedError(periods: readonly string[]) {
  return createNonRetryableError(
    'period_locked',
    `The backup does not contain the sign-off of ${periods.join(', ')}.`,
    'Nothing was changed. Reopen the closed periods first, with a reason.',
  );
}

function changedSincePreviewError() {
  return createNonRetryableError(
    'conflict',
    'The books or the backup changed after the comparison was shown.',
    'Nothing was changed. Review the comparison again.',
  );
}
