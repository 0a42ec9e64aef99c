import type {
  ReportAdjustment,
  ReportAuditEntry,
  ReportException,
  ReportMatch,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findingSeverities } from '../checks/exception.ts';
import { toExceptionMembers } from '../checks/exception-list.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import type { DayRange } from '../workpaper/posted-rows.ts';

/** Lists of a period report, streamed from a separate connection. */

type StoredException = Omit<ReportException, 'severity' | 'members' | 'decision'> & {
  severity: number;
  members: string;
  user: string | null;
  at: number | null;
  text: string | null;
};

/** Yields the open and accepted exceptions dated in the period, most serious first. */
export function* readReportExceptions(
  books: ReadableDb,
  { first, last }: DayRange,
): Generator<ReportException, void, undefined> {
  const sql = `SELECT exception.id, rule, severity, status, dated_on, at_stake_in_cents, message, members, assigned, user, at, text
     FROM exception INDEXED BY exception_dated
       LEFT JOIN exception_entry ON exception_id = exception.id AND seq = (
         SELECT max(seq) FROM exception_entry AS newest WHERE newest.exception_id = exception.id AND action = 'accepted')
     WHERE dated_on BETWEEN ? AND ? AND status IN ('open', 'accepted')
     ORDER BY severity DESC, at_stake_in_cents DESC, exception.id`;
  const rows = prepareSql<StoredException>(books, sql).iterate(first, last);
  for (const { severity, members, user, at, text, ...row } of rows) {
    yield {
      ...row,
      members: toExceptionMembers(members).map(({ message }) => message),
      severity: findingSeverities[severity]!,
      decision: at === null || row.status !== 'accepted' ? null : { user, at: formatTimestamp(at), text },
    };
  }
}

type StoredMatch = Omit<ReportMatch, 'bank_lines' | 'transactions'> & {
  bank_lines: string;
  transactions: string;
  reasons: string;
  reason: string | null;
};

/** Yields the confirmed matches cleared in the period, ordered by date. */
export function* readReportMatches(
  books: ReadableDb,
  { first, last }: DayRange,
): Generator<ReportMatch, void, undefined> {
  const sql = `SELECT match_group.id, cleared_on AS dated_on, match_group.currency, rule, lines_in_cents, transactions_in_cents, adjustments_in_cents,
       (SELECT json_group_array(line_id) FROM match_item WHERE group_id = match_group.id AND line_id IS NOT NULL) AS bank_lines,
       (SELECT json_group_array(transaction_id) FROM match_item WHERE group_id = match_group.id AND transaction_id IS NOT NULL)
         AS transactions,
       (SELECT bank_payout.payout_id FROM bank_payout WHERE bank_payout.id = match_group.payout_id) AS payout, reasons, reason, changed_by
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
     WHERE cleared_on BETWEEN ? AND ? ORDER BY cleared_on, match_cleared.group_id`;
  const rows = prepareSql<StoredMatch>(books, sql).iterate(first, last);
  for (const { bank_lines, transactions, reasons, reason, ...row } of rows) {
    const reasonTexts = (JSON.parse(reasons) as { text: string }[]).map(({ text }) => text).join(' ');
    yield {
      ...row,
      bank_lines: JSON.parse(bank_lines),
      transactions: JSON.parse(transactions),
      text: reason ?? reasonTexts,
    };
  }
}

/** Returns the adjustments by category of matches cleared in the period. */
export function readReportAdjustments(
  books: ReadableDb,
  { first, last }: DayRange,
): IterableIterator<ReportAdjustment> {
  const sql = `SELECT match_group.id AS match, cleared_on AS dated_on, match_group.currency, category, allocated_in_cents AS amount_in_cents,
       match_item.reason, changed_by AS user
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
     WHERE cleared_on BETWEEN ? AND ? AND category IS NOT NULL AND claim_state >= 3 ORDER BY cleared_on, match_group.id, ordinal`;
  return prepareSql<ReportAdjustment>(books, sql).iterate(first, last);
}

/** Yields the audit log entries since `since` (UTC milliseconds), oldest first. */
export function* readReportAuditLog(
  books: ReadableDb,
  since = 0,
): Generator<ReportAuditEntry, void, undefined> {
  const sql =
    "SELECT seq, at, user, action, subject, nullif(reason, '') AS reason, hash FROM audit WHERE at >= ? ORDER BY seq";
  const rows = prepareSql<Omit<ReportAuditEntry, 'at'> & { at: number }>(books, sql).iterate(since);
  for (const { at, ...row } of rows) yield { ...row, at: formatTimestamp(at) };
}
