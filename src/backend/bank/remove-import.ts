import { contractError, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import { refuseLockedImport } from '../period-lock/period-lock.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { importById } from '../store/bank/bank-import.ts';
import { commit } from '../store/sqlite/connection.ts';
import type { BankContext } from './bank-context.ts';
import { finishImportRemoval, type ImportRemoval, removeNextImportBatch } from './remove-import-lines.ts';

/**
 * Starts a job that removes an import. Throws `not_found`, `conflict` if the import was already removed or a job is
 * changing the lines, and `period_locked` if any of its lines belongs to a closed period.
 */
export function startImportRemoval(tools: BankContext, site: string, id: number, reason: string): Job {
  const open = tools.stores.open(site);
  const known = importById(open.books, id);
  if (known === null || known.state !== 'done') {
    throw contractError({
      code: known === null ? 'not_found' : 'conflict',
      message: known === null ? `There is no import ${id}.` : `Import ${id} has been removed.`,
      hint: 'See the list of imports for those there are.',
      retryable: false,
    });
  }
  refuseLockedImport(open.books, id);
  requireIdleSite(tools, site);
  return tools.jobs.start({
    site,
    kind: 'import',
    noun: 'the removal of an import',
    books: open.books,
    async run(job) {
      job.progress('lines', { done: 0, total: known.rows_new, current: known.file });
      const removal = { at: tools.now(), by: tools.user, reason };
      const { lines, groups } = await removeImport(open, id, removal, (done) => {
        job.progress('lines', { done });
        tools.changes.emit(site, 'bank', 'match');
      });
      await detectChangesAfterJob(tools, open, job, 'import');
      tools.changes.emit(site, 'bank', 'match', 'audit');
      return `Import ${id} was taken back: ${formatCount(lines, 'line')}, ${formatCount(groups, 'match', 'matches')} undone.`;
    },
  });
}

/**
 * Removes the lines of an import and the matches that contain them, in batches, then marks the import as removed. It
 * cannot be canceled, because a partial import is invalid. After a crash, `recoverImports` completes it.
 */
export async function removeImport(
  open: OpenSite,
  id: number,
  removal: ImportRemoval,
  progress: (done: number) => void = () => {},
): Promise<{ lines: number; groups: number }> {
  const undone: number[] = [];
  let lines = 0;
  for (let more = true; more; ) {
    await yieldToEventLoop();
    commit(open.books, () => {
      const step = removeNextImportBatch(open.books, id, removal);
      undone.push(...step.groups);
      lines += step.lines;
      more = step.groups.length + step.lines > 0;
      if (!more) finishImportRemoval(open.books, id, removal, undone, lines);
    });
    progress(lines);
  }
  return { lines, groups: undone.length };
}
