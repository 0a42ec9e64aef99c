import { createNonRetryableError, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import { assertImportNotLocked } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findBankImport } from '../store/bank/bank-import.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import type { BankContext } from './bank-context.ts';
import { type ImportRemoval, ImportRemover } from './remove-imported-lines.ts';

/**
 * Starts a job that removes an import. Throws `not_found`, `conflict` if the import was already removed or a job is
 * changing the lines, and `period_locked` if any of its lines belongs to a closed period.
 */
export function startImportRemoval(context: BankContext, site: string, id: number, reason: string): Job {
  const open = context.stores.open(site);
  const stored = requireRecord(findBankImport(open.books, id), `import ${id}`, 'See the list of imports.');
  if (stored.state !== 'done')
    throw createNonRetryableError('conflict', `Import ${id} has been removed.`, 'See the list of imports.');
  assertImportNotLocked(open.books, id);
  requireIdleSite(context, site);
  return context.jobs.start({
    site,
    kind: 'import',
    noun: 'the removal of an import',
    books: open.books,
    async run(job) {
      job.progress('lines', { done: 0, total: stored.rows_new, current: stored.file });
      const removal = { at: context.now(), by: context.user, reason };
      const { lines, groups } = await removeBankImport(open, id, removal, (done) => {
        job.progress('lines', { done });
        context.changes.emit(site, 'bank', 'match');
      });
      await detectChangesAfterJob(context, open, job, 'import');
      context.changes.emit(site, 'bank', 'match', 'audit');
      return `Import ${id} removed: ${formatCount(lines, 'line')} removed, ${formatCount(groups, 'match', 'matches')} undone.`;
    },
  });
}

/**
 * Removes the lines of an import and the matches that contain them, in batches, then marks the import as removed. The
 * job cannot be canceled, because a partial import is invalid. After a crash, `recoverImports` completes the removal.
 */
export async function removeBankImport(
  open: OpenSite,
  id: number,
  removal: ImportRemoval,
  progress: (done: number) => void = () => {},
): Promise<{ lines: number; groups: number }> {
  const remover = new ImportRemover(open.books, id, removal);
  for (let isRunning = true; isRunning; ) {
    await yieldToEventLoop();
    isRunning = runInTransaction(open.books, () => remover.removeNextBatch());
    progress(remover.lines);
  }
  return { lines: remover.lines, groups: remover.groups.length };
}
