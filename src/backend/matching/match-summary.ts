import type { MatchState, MatchSummary } from '../../contract/index.ts';
import { matchOriginLabel } from '../../domain/labels/matches.ts';
import { matchStates } from '../store/bank/bank-account.ts';
import { lastSyncBegan } from '../store/checks/check-ground.ts';
import { lastImportAt, runningJob, stateSums } from '../store/matching/match-figures.ts';
import { groupSums } from '../store/matching/match-group-reading.ts';
import { payoutFigures } from '../store/matching/match-payout.ts';
import { rulesChangedAt } from '../store/matching/match-rule.ts';
import { lastRun } from '../store/matching/match-run.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns the totals of all lines, payments and matches by state, and the latest run. */
export function readMatchSummary({ cache, books }: { cache: ReadableDb; books: ReadableDb }): MatchSummary {
  const last_run = lastRun(books);
  const sums = (what: 'lines' | 'payments') =>
    stateSums(books, what).map(({ state, ...sum }) => ({ ...sum, state: matchStates[state] as MatchState }));
  return {
    lines: sums('lines'),
    payments: sums('payments'),
    groups: groupSums(books, {}).map((each) => ({ ...each, title: matchOriginLabel(each.rule).title })),
    payouts: payoutFigures(books),
    last_run,
    stale: findReasonToMatchAgain(cache, books, last_run),
    running: runningJob(books),
  };
}

/** Returns a sentence that says why another run would find more, or null if it would not. */
export function findReasonToMatchAgain(
  cache: ReadableDb,
  books: ReadableDb,
  run = lastRun(books),
): string | null {
  const imported = lastImportAt(books);
  if (run === null) return imported === null ? null : 'The lines have not been matched yet.';
  const at = Date.parse(run.started_at);
  if (run.state === 'undone') return 'The last run was taken back.';
  if (imported !== null && imported > at) return 'Lines were imported or taken back since the last run.';
  if (rulesChangedAt(books) > at) return 'Rules were changed since the last run.';
  const synced = lastSyncBegan(cache);
  return synced !== null && synced > at ? 'The site was synced since the last run.' : null;
}
