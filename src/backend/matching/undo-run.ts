import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { ranges } from '../bank/ranges.ts';
import { type BankTools, whileIdle } from '../bank/tools.ts';
import { refuseLockedRun } from '../periods/locked.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { groupsOfRun, markRunUndone, runById } from '../store/matching/match-run.ts';
import { releaseGroup } from './release.ts';

/** Groups taken back together. */
const BATCH = 1000;

/**
 * Takes back, as a job, what a run found and nobody decided about since. The next run may find it again. Throws `not_found`, and `conflict` for
 * a dry run, one that is undone already, or while something works on the lines; `period_locked` where some of it is signed.
 */
export function startUndo(tools: BankTools, site: string, id: number, reason: string): Job {
  const open = tools.stores.open(site);
  const run = runById(open.books, id);
  if (run === null || run.dry_run || run.state === 'undone' || run.state === 'running') {
    throw contractError({
      code: run === null ? 'not_found' : 'conflict',
      message:
        run === null
          ? `There is no run ${id}.`
          : `Run ${id} ${run.dry_run ? 'was a dry one: it changed nothing' : `is ${run.state}`}.`,
      hint: 'See the list of runs for those there are.',
      retryable: false,
    });
  }
  refuseLockedRun(open.books, id);
  whileIdle(tools, site);
  return tools.jobs.start({
    site,
    kind: 'match',
    what: 'the undoing of a run',
    books: open.books,
    async run(job) {
      const { books } = open;
      const change = { at: tools.now(), by: tools.user, why: `Run ${id} was taken back: ${reason}` };
      const undone: number[] = [];
      job.progress('matches', { done: 0, total: run.confirmed + run.suggested + run.ambiguous });
      for (let after = 0, more = true; more; ) {
        await breathe();
        job.signal.throwIfAborted();
        commit(books, () => {
          const groups = groupsOfRun(books, id, after, BATCH);
          for (const group of groups) releaseGroup(books, group, change);
          undone.push(...groups);
          after = groups.at(-1) ?? after;
          more = groups.length > 0;
          if (more) return;
          markRunUndone(books, id, { at: change.at, by: change.by, reason });
          const detail = { undone: ranges(undone) };
          addAudit(books, {
            at: change.at,
            who: change.by,
            action: 'match.undo-run',
            subject: String(id),
            why: reason,
            detail,
          });
        });
        job.progress('matches', { done: undone.length });
        tools.changes.tell(site, 'match', 'bank');
      }
      tools.changes.tell(site, 'match', 'bank', 'audit');
      return `Run ${id} was taken back: ${counted(undone.length, 'match', 'matches')}.`;
    },
  });
}
