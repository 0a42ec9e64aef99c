import type { MoneySum } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Returns the totals of lines or payments by state and currency, from an index. */
export function stateSums(db: ReadableDb, what: 'lines' | 'payments'): (MoneySum & { state: number })[] {
  const from =
    what === 'lines'
      ? 'bank_line INDEXED BY bank_line_dated'
      : 'match_payment INDEXED BY match_payment_dated';
  return prepared<MoneySum & { state: number }>(
    db,
    `SELECT state, currency, count(*) AS count, sum(max(amount_in_cents, 0)) AS in_cents,
       sum(min(amount_in_cents, 0)) AS out_cents
     FROM ${from} WHERE state < 6 ${what === 'lines' ? 'AND account_id IN (SELECT id FROM bank_account)' : ''}
     GROUP BY state, currency ORDER BY state, currency`,
  ).all();
}

/** Returns when lines were last added or removed (UTC milliseconds), or null if never. */
export function lastImportAt(db: ReadableDb): number | null {
  return (
    prepared<number | null>(db, 'SELECT max(max(at, coalesce(removed_at, 0))) FROM bank_import')
      .pluck()
      .get() ?? null
  );
}

/** Returns the running import or matching job of any process. */
export function runningJob(db: ReadableDb): string | null {
  return (
    prepared<string>(db, "SELECT id FROM job WHERE state = 'running' AND kind IN ('import', 'match') LIMIT 1")
      .pluck()
      .get() ?? null
  );
}

/** Returns the number of undecided proposals dated on or before a day. */
export function countProposals(db: ReadableDb, last: string): number {
  return (
    prepared<number>(
      db,
      "SELECT count(*) FROM match_group WHERE status IN ('suggested', 'ambiguous') AND dated_on <= ?",
    )
      .pluck()
      .get(last) ?? 0
  );
}
