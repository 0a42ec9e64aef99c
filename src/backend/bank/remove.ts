import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { refuseLockedImport } from '../periods/locked.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite } from '../sites/stores.ts';
import { importById } from '../store/bank/bank-import.ts';
import { commit } from '../store/database.ts';
import { finishRemoval, type Removal, takeStep } from './settle.ts';
import { type BankTools, whileIdle } from './tools.ts';

/** Takes an import back as a job. Throws `not_found`, `conflict` where it is removed already or something works on the lines, `period_locked` where
 * lines of it are signed. */
export function startRemoval(tools: BankTools, site: string, id: number, reason: string): Job {
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
  whileIdle(tools, site);
  return tools.jobs.start({
    site,
    kind: 'import',
    what: 'the removal of an import',
    books: open.books,
    async run(job) {
      job.progress('lines', { done: 0, total: known.rows_new, current: known.file });
      const removal = { at: tools.now(), by: tools.user, reason };
      const { lines, groups } = await takeBack(open, id, removal, (done) => {
        job.progress('lines', { done });
        tools.changes.tell(site, 'bank', 'match');
      });
      await noticeAfter(tools, open, job, 'import');
      tools.changes.tell(site, 'bank', 'match', 'audit');
      return `Import ${id} was taken back: ${counted(lines, 'line')}, ${counted(groups, 'match', 'matches')} undone.`;
    },
  });
}

/**
 * Takes the lines of an import away, in steps, with the groups that stand on them; at last the import is removed. Begun, it is
 * brought to its end: half an import is none. What a crash leaves half way is taken back by `settleImports`.
 */
export async function takeBack(
  open: OpenSite,
  id: number,
  removal: Removal,
  progress: (done: number) => void = () => {},
): Promise<{ lines: number; groups: number }> {
  const undone: number[] = [];
  let lines = 0;
  for (let more = true; more; ) {
    await breathe();
    commit(open.books, () => {
      const step = takeStep(open.books, id, removal);
      undone.push(...step.groups);
      lines += step.lines;
      more = step.groups.length + step.lines > 0;
      if (!more) finishRemoval(open.books, id, removal, undone, lines);
    });
    progress(lines);
  }
  return { lines, groups: undone.length };
}
