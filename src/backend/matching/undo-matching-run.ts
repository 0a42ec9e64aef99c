import { createNonRetryableError, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { type DecisionContext, requireIdleSite } from '../jobs/exclusive-change.ts';
import { assertMatchingRunNotLocked } from '../period-lock/period-lock.ts';
import { formatNumberRanges } from '../shared/number-ranges.ts';
import { requireRecord } from '../shared/require-record.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { findMatchRun, listUndecidedMatchesOfRun, markMatchRunUndone } from '../store/matching/match-run.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { releaseMatch } from './release-match.ts';

/** Number of matches undone per transaction. */
const UNDO_BATCH_SIZE = 1000;

/**
 * Starts a job that undoes the matches of a run, except matches that a person has decided since. A later run may find
 * them again. Throws `not_found`, `conflict` for a dry or undone run or while a job is changing the lines, and
 * `period_locked` if any of the matches belongs to a closed period.
 */
export function startMatchingRunUndo(
  context: DecisionContext,
  site: string,
  id: number,
  reason: string,
): Job {
  const { stores, jobs, changes, now, user } = context;
  const { books } = stores.open(site);
  const run = requireRecord(findMatchRun(books, id), `run ${id}`, 'See the list of matching runs.');
  if (run.dry_run || run.state === 'undone' || run.state === 'running') {
    const state = run.dry_run ? 'was a dry run and changed nothing' : `is ${run.state}`;
    throw createNonRetryableError('conflict', `Run ${id} ${state}.`, 'See the list of matching runs.');
  }
  assertMatchingRunNotLocked(books, id);
  requireIdleSite(context, site);
  return jobs.start({
    site,
    kind: 'match',
    noun: 'undoing a matching run',
    books,
    async run(job) {
      const by = { at: now(), by: user };
      const undone: number[] = [];
      job.progress('matches', { done: 0, total: run.confirmed + run.suggested + run.ambiguous });
      for (let after = 0, more = true; more; ) {
        await yieldToEventLoop();
        job.signal.throwIfAborted();
        runInTransaction(books, () => {
          const groups = listUndecidedMatchesOfRun(books, id, after, UNDO_BATCH_SIZE);
          const change = { ...by, reason: `Run ${id} was undone: ${reason}` };
          for (const group of groups) releaseMatch(books, group, change);
          undone.push(...groups);
          after = groups.at(-1) ?? after;
          more = groups.length > 0;
          if (more) return;
          markMatchRunUndone(books, id, { ...by, reason });
          const detail = { undone: formatNumberRanges(undone) };
          const entry = { at: by.at, user, action: 'match.undo-run', subject: String(id), reason, detail };
          addAuditEntry(books, entry);
        });
        job.progress('matches', { done: undone.length });
        changes.emit(site, 'match', 'bank');
      }
      changes.emit(site, 'match', 'bank', 'audit');
      return `Run ${id} was undone: ${formatCount(undone.length, 'match', 'matches')}.`;
    },
  });
}
