import type { ReportAdjustment, ReportAudit, ReportException, ReportMatch } from '../../../contract/index.ts';
import { severities } from '../checks/exception.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';
import type { Days } from './posted-rows.ts';

/** The lists of a report, streamed from a connection of its own. */

type StoredException = Omit<ReportException, 'severity' | 'decision'> & {
  severity: number;
  who: string | null;
  at: number | null;
  text: string | null;
};

/** Exceptions dated in the period that are open or accepted, the most grave first. */
export function* reportExceptions(
  books: ReadableDb,
  { first, last }: Days,
): Generator<ReportException, void, undefined> {
  const rows = prepared<StoredException>(
    books,
    `SELECT exception.id, rule, severity, status, dated_on, at_stake_in_cents, message, assigned, who, at, text
     FROM exception INDEXED BY exception_dated
       LEFT JOIN exception_entry ON exception_id = exception.id AND seq = (
         SELECT max(seq) FROM exception_entry AS newest WHERE newest.exception_id = exception.id AND what = 'accepted')
     WHERE dated_on BETWEEN ? AND ? AND status IN ('open', 'accepted')
     ORDER BY severity DESC, at_stake_in_cents DESC, exception.id`,
  ).iterate(first, last);
  for (const { severity, who, at, text, ...row } of rows) {
    yield {
      ...row,
      severity: severities[severity]!,
      decision: at === null || row.status !== 'accepted' ? null : { who, at: isoMoment(at), text },
    };
  }
}

type StoredMatch = Omit<ReportMatch, 'bank_lines' | 'transactions'> & {
  bank_lines: string;
  transactions: string;
  reasons: string;
  why: string | null;
};

/** Confirmed matches cleared in the period, in the order of their days. */
export function* reportMatches(
  books: ReadableDb,
  { first, last }: Days,
): Generator<ReportMatch, void, undefined> {
  const rows = prepared<StoredMatch>(
    books,
    `SELECT match_group.id, cleared_on AS dated_on, match_group.currency, rule, lines_in_cents, transactions_in_cents, adjustments_in_cents,
       (SELECT json_group_array(line_id) FROM match_item WHERE group_id = match_group.id AND line_id IS NOT NULL) AS bank_lines,
       (SELECT json_group_array(transaction_id) FROM match_item WHERE group_id = match_group.id AND transaction_id IS NOT NULL)
         AS transactions,
       (SELECT bank_payout.payout_id FROM bank_payout WHERE bank_payout.id = match_group.payout_id) AS payout, reasons, why, changed_by
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
     WHERE cleared_on BETWEEN ? AND ? ORDER BY cleared_on, match_cleared.group_id`,
  ).iterate(first, last);
  for (const { bank_lines, transactions, reasons, why, ...row } of rows) {
    const told = (JSON.parse(reasons) as { text: string }[]).map(({ text }) => text).join('; ');
    yield {
      ...row,
      bank_lines: JSON.parse(bank_lines),
      transactions: JSON.parse(transactions),
      text: why ?? told,
    };
  }
}

/** Differences put down to a category by the matches cleared in the period. */
export function reportAdjustments(
  books: ReadableDb,
  { first, last }: Days,
): IterableIterator<ReportAdjustment> {
  return prepared<ReportAdjustment>(
    books,
    `SELECT match_group.id AS match, cleared_on AS dated_on, match_group.currency, category, allocated_in_cents AS amount_in_cents,
       reason, changed_by AS who
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
     WHERE cleared_on BETWEEN ? AND ? AND category IS NOT NULL AND standing >= 3 ORDER BY cleared_on, match_group.id, ordinal`,
  ).iterate(first, last);
}

/** The audit log, the oldest first; without `since` (ms UTC) all of it. */
export function* reportAudit(books: ReadableDb, since = 0): Generator<ReportAudit, void, undefined> {
  const rows = prepared<Omit<ReportAudit, 'at'> & { at: number }>(
    books,
    "SELECT seq, at, who, action, subject, nullif(why, '') AS why, hash FROM audit WHERE at >= ? ORDER BY seq",
  ).iterate(since);
  for (const { at, ...row } of rows) yield { ...row, at: isoMoment(at) };
}
