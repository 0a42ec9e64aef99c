import type { TrailRecord } from '../../../contract/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';

/** Matches that people have not rejected. */
const CURRENT = "match_group.status IN ('confirmed', 'suggested', 'ambiguous')";
/** Areas of the ledger accounts on which deposits are posted. */
const CASH_AREAS = "('cash', 'clearing', 'in-transit')";
/** Maximum number of days between a bank line and a ledger line that may post it. Chosen by judgment: a week. */
const MAX_POSTING_DAYS = 7;

/** Returns the payments of current matches of these bank lines. */
export function listPaymentIdsOfLines(books: ReadableDb, lines: readonly number[]): number[] {
  const sql = `SELECT DISTINCT payment.transaction_id
     FROM json_each(?) AS wanted CROSS JOIN match_item AS own ON own.line_id = wanted.value
       CROSS JOIN match_group ON match_group.id = own.group_id AND ${CURRENT}
       CROSS JOIN match_item AS payment ON payment.group_id = own.group_id AND payment.transaction_id IS NOT NULL`;
  return select.values<number>(books, sql, JSON.stringify(lines));
}

/** Returns the payments of a match. */
export function listPaymentIdsOfMatch(books: ReadableDb, match: number): number[] {
  const sql = 'SELECT transaction_id FROM match_item WHERE group_id = ? AND transaction_id IS NOT NULL';
  return select.values<number>(books, sql, match);
}

/** Returns the payments of a statement. */
export function listPaymentIdsOfStatement(books: ReadableDb, statement: number): number[] {
  return select.values<number>(books, 'SELECT id FROM match_payment WHERE statement_id = ?', statement);
}

/** Returns the bank lines of these payouts in the payout reports. */
export function listLineIdsOfPayouts(books: ReadableDb, payouts: readonly number[]): number[] {
  const sql = `SELECT bank_line.id FROM json_each(?) AS wanted CROSS JOIN bank_payout ON bank_payout.id = wanted.value
       CROSS JOIN bank_line INDEXED BY bank_line_payout ON bank_line.account_id = bank_payout.account_id
         AND bank_line.payout_id = bank_payout.payout_id AND bank_line.currency = bank_payout.currency
     WHERE bank_line.removed = 0`;
  return select.values<number>(books, sql, JSON.stringify(payouts));
}

/** Returns the payouts that current matches of these bank lines deposit. */
export function listPayoutIdsOfDeposits(books: ReadableDb, lines: readonly number[]): number[] {
  const sql = `SELECT DISTINCT match_group.payout_id
     FROM json_each(?) AS wanted CROSS JOIN match_item ON match_item.line_id = wanted.value
       CROSS JOIN match_group ON match_group.id = match_item.group_id AND ${CURRENT}
     WHERE match_group.payout_id IS NOT NULL`;
  return select.values<number>(books, sql, JSON.stringify(lines));
}

/** Returns the payout that a match deposits, as a list of at most one. */
export function listPayoutIdsOfMatch(books: ReadableDb, match: number): number[] {
  const sql = 'SELECT payout_id FROM match_group WHERE id = ? AND payout_id IS NOT NULL';
  return select.values<number>(books, sql, match);
}

/** Returns the current matches of a payment. */
export function listMatchIdsOfPayment(books: ReadableDb, payment: number): number[] {
  const sql = `SELECT DISTINCT match_group.id FROM match_item CROSS JOIN match_group ON match_group.id = group_id AND ${CURRENT}
     WHERE transaction_id = ? ORDER BY match_group.id`;
  return select.values<number>(books, sql, payment);
}

/** Returns the bank lines of these matches. */
export function listLineIdsOfMatches(books: ReadableDb, matches: readonly number[]): number[] {
  const sql = `SELECT DISTINCT line_id FROM json_each(?) AS wanted CROSS JOIN match_item ON group_id = wanted.value
     WHERE line_id IS NOT NULL`;
  return select.values<number>(books, sql, JSON.stringify(matches));
}

/** Returns the payouts whose reports contain these lines. */
export function listPayoutIdsOfLines(books: ReadableDb, lines: readonly number[]): number[] {
  const sql = `SELECT DISTINCT bank_payout.id FROM json_each(?) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.value
       CROSS JOIN bank_payout ON bank_payout.account_id = bank_line.account_id
         AND bank_payout.payout_id = bank_line.payout_id AND bank_payout.currency = bank_line.currency
     WHERE bank_payout.removed = 0`;
  return select.values<number>(books, sql, JSON.stringify(lines));
}

/** Returns the current matches that deposit these payouts. */
export function listMatchIdsOfPayouts(books: ReadableDb, payouts: readonly number[]): number[] {
  const sql = `SELECT match_group.id FROM json_each(?) AS wanted CROSS JOIN match_group ON match_group.payout_id = wanted.value
     WHERE ${CURRENT}`;
  return select.values<number>(books, sql, JSON.stringify(payouts));
}

const LEDGER_OF_LINE = `bank_line.amount_in_cents = ledger_line.amount_in_cents
  AND bank_line.currency = ledger_line.currency
  AND abs(julianday(bank_line.booked_on) - julianday(ledger_line.dated_on)) <= ${MAX_POSTING_DAYS}`;

/** Returns the bank lines that a ledger line may post. */
export function listLineIdsOfLedgerLine(books: ReadableDb, ledgerLine: number): number[] {
  const sql = `SELECT bank_line.id FROM ledger_line CROSS JOIN bank_line ON ${LEDGER_OF_LINE}
     WHERE ledger_line.id = ? AND bank_line.removed = 0`;
  return select.values<number>(books, sql, ledgerLine);
}

/** Returns the ledger lines that may post these bank lines, by date. */
export function listTrailLedgerLines(
  books: ReadableDb,
  lines: readonly number[],
  limit: number,
): TrailRecord[] {
  const sql = `SELECT DISTINCT ledger_line.id, ledger_line.dated_on, NULL AS at, ledger_line.text AS title,
       ledger_line.account AS detail, ledger_line.amount_in_cents, ledger_line.currency
     FROM json_each(?) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.value
       CROSS JOIN bank_account ON bank_account.id = bank_line.account_id AND bank_account.kind = 'bank'
       CROSS JOIN ledger_account ON area IN ${CASH_AREAS}
       CROSS JOIN ledger_line INDEXED BY ledger_line_dated ON ledger_line.account = ledger_account.account
         AND ledger_line.removed = 0 AND ${LEDGER_OF_LINE}
     ORDER BY ledger_line.dated_on, ledger_line.id LIMIT ?`;
  return select.rows<TrailRecord>(books, sql, JSON.stringify(lines), limit);
}

/** Returns bank lines as records of a trail, by date. */
export function listTrailLines(books: ReadableDb, ids: readonly number[], limit: number): TrailRecord[] {
  const sql = `SELECT bank_line.id, booked_on AS dated_on, NULL AS at, description AS title, name AS detail, amount_in_cents,
       bank_line.currency
     FROM json_each(?) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.value
       CROSS JOIN bank_account ON bank_account.id = account_id
     ORDER BY booked_on, bank_line.id LIMIT ?`;
  return select.rows<TrailRecord>(books, sql, JSON.stringify(ids), limit);
}

/** Returns matches as records of a trail, by date. Their title is the matching pass, and their detail is the status. */
export function listTrailMatches(books: ReadableDb, ids: readonly number[], limit: number): TrailRecord[] {
  const sql = `SELECT match_group.id, dated_on, NULL AS at, rule AS title, status AS detail, lines_in_cents AS amount_in_cents,
       currency
     FROM json_each(?) AS wanted CROSS JOIN match_group ON match_group.id = wanted.value
     ORDER BY dated_on, match_group.id LIMIT ?`;
  return select.rows<TrailRecord>(books, sql, JSON.stringify(ids), limit);
}

/** Returns payouts as records of a trail, by date. Their amount is unknown if the report does not state it. */
export function listTrailPayouts(books: ReadableDb, ids: readonly number[], limit: number): TrailRecord[] {
  const sql = `SELECT bank_payout.id, paid_on AS dated_on, NULL AS at, payout_id AS title, name AS detail,
       stated_in_cents AS amount_in_cents, bank_payout.currency
     FROM json_each(?) AS wanted CROSS JOIN bank_payout ON bank_payout.id = wanted.value
       CROSS JOIN bank_account ON bank_account.id = account_id
     ORDER BY paid_on, bank_payout.id LIMIT ?`;
  return select.rows<TrailRecord>(books, sql, JSON.stringify(ids), limit);
}
