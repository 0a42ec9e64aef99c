import { contractError, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import { refuseLockedRun } from '../period-lock/period-lock.ts';
import { formatRanges } from '../shared/number-ranges.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { groupsOfRun, markRunUndone, runById } from '../store/matching/match-run.ts';
import { commit } from '../store/sqlite/connection.ts';
import { releaseMatch } from './release-match.ts';

/** Number of matches undone per transaction. */
const UNDO_BATCH_SIZE = 1000;

/**
 * Starts a job that undoes the matches of a run, except those decided by a person since. A later run may find them again.
 * Throws `not_found`, `conflict` for a dry or undone run or while a job is changing the lines, and `period_locked` if any
 * of the matches belongs to a closed period.
 */
export function startUndoOfMatchingRun(
  tools: DecisionContext,
  site: string,
  id: number,
  reason: string,
): Job {
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
  requireIdleSite(tools, site);
  return tools.jobs.start({
    site,
    kind: 'match',
    noun: 'the undoing of a run',
    books: open.books,
    async run(job) {
      const { books } = open;
      const change = { at: tools.now(), by: tools.user, reason: `Run ${id} was taken back: ${reason}` };
      const undone: number[] = [];
      job.progress('matches', { done: 0, total: run.confirmed + run.suggested + run.ambiguous });
      for (let after = 0, more = true; more; ) {
        await yieldToEventLoop();
        job.signal.throwIfAborted();
        commit(books, () => {
          const groups = groupsOfRun(books, id, after, UNDO_BATCH_SIZE);
          for (const group of groups) releaseMatch(books, group, change);
          undone.push(...groups);
          after = groups.at(-1) ?? after;
          more = groups.length > 0;
          if (more) return;
          markRunUndone(books, id, { at: change.at, by: change.by, reason });
          const detail = { undone: formatRanges(undone) };
          addAudit(books, {
            at: change.at,
            user: change.by,
            action: 'match.undo-run',
            subject: String(id),
            reason: reason,
            detail,
          });
        });
        job.progress('matches', { done: undone.length });
        tools.changes.emit(site, 'match', 'bank');
      }
      tools.changes.emit(site, 'match', 'bank', 'audit');
      return `Run ${id} was taken back: ${formatCount(undone.length, 'match', 'matches')}.`;
    },
  });
}
