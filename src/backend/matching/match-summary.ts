import type { MatchState, MatchSummary } from '../../contract/index.ts';
import { getMatchOriginLabel } from '../../domain/labels/matches.ts';
import { addUpUnmatched, matchStates } from '../store/bank/bank-account.ts';
import { findLastSyncStart } from '../store/checks/check-coverage.ts';
import { findLastImportTime, findRunningMatchJob, sumByMatchState } from '../store/matching/match-figures.ts';
import { countMatches } from '../store/matching/match-list-plan.ts';
import { countPayouts } from '../store/matching/match-payout.ts';
import { findLastMatchRuleChange } from '../store/matching/match-rule.ts';
import { findLastMatchRun } from '../store/matching/match-run.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns the totals of all lines, payments and matches by state, and the latest run. */
export function readMatchSummary({ cache, books }: { cache: ReadableDb; books: ReadableDb }): MatchSummary {
  const last_run = findLastMatchRun(books);
  const payments = sumByMatchState(books, 'payments');
  return {
    lines: sumByMatchState(books, 'lines').map(toStateTotals),
    payments: payments.map(toStateTotals),
    unmatched_payments: addUpUnmatched(payments),
    groups: countMatches(books, {}).map((each) => ({ ...each, title: getMatchOriginLabel(each.rule).title })),
    payouts: countPayouts(books),
    last_run,
    stale: findReasonForNewMatchingRun(cache, books, last_run),
    running: findRunningMatchJob(books),
  };
}

function toStateTotals({
  state,
  currency,
  count,
  in_cents,
  out_cents,
}: ReturnType<typeof sumByMatchState>[number]): MatchSummary['lines'][number] {
  return { state: matchStates[state] as MatchState, currency, count, in_cents, out_cents };
}

/** Returns a sentence that says why another run would find more matches, or null if it would not. */
export function findReasonForNewMatchingRun(
  cache: ReadableDb,
  books: ReadableDb,
  run = findLastMatchRun(books),
): string | null {
  const imported = findLastImportTime(books);
  if (run === null) return imported === null ? null : 'The lines have not been matched yet.';
  const at = Date.parse(run.started_at);
  if (run.state === 'undone') return 'The last run was undone.';
  if (imported !== null && imported > at) return 'Lines were imported or removed since the last run.';
  if (findLastMatchRuleChange(books) > at) return 'Rules were changed since the last run.';
  const synced = findLastSyncStart(cache);
  return synced !== null && synced > at ? 'The site was synced since the last run.' : null;
}
