import type { CurrencyTotals } from '../../../contract/index.ts';
import { UNMATCHED_SUMS_SQL } from '../bank/bank-account.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';

/** Returns the totals of lines or payments by match state and currency. Reads only an index. */
export function sumByMatchState(
  db: ReadableDb,
  what: 'lines' | 'payments',
): (CurrencyTotals & { state: number; unmatched_in: number; unmatched_out: number })[] {
  const from =
    what === 'lines'
      ? 'bank_line INDEXED BY bank_line_dated'
      : 'match_payment INDEXED BY match_payment_dated';
  const sql = `SELECT state, currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
       sum(min(amount_in_cents, 0)) AS out_cents, ${UNMATCHED_SUMS_SQL}
     FROM ${from} WHERE state < 6 ${what === 'lines' ? 'AND account_id IN (SELECT id FROM bank_account)' : ''}
     GROUP BY state, currency ORDER BY state, currency`;
  return select.rows(db, sql);
}

/** Returns the time of the latest import or removal (UTC milliseconds), or null if there was none. */
export function findLastImportTime(db: ReadableDb): number | null {
  const sql = 'SELECT max(max(at, coalesce(removed_at, 0))) FROM bank_import';
  return select.value<number>(db, sql);
}

/** Returns the id of the running import or matching job of any process, or null. */
export function findRunningMatchJob(db: ReadableDb): string | null {
  const sql = "SELECT id FROM job WHERE state = 'running' AND kind IN ('import', 'match') LIMIT 1";
  return select.value<string>(db, sql);
}

/** Returns the number of undecided match proposals dated on or before a day. */
export function countUndecidedProposals(db: ReadableDb, last: string): number {
  const sql = "SELECT count(*) FROM match_group WHERE status IN ('suggested', 'ambiguous') AND dated_on <= ?";
  return select.value<number>(db, sql, last) ?? 0;
}
