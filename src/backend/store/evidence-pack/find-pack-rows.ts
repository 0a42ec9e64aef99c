import type { BankLineIdentity, PackDecisions, PayoutIdentity } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Returns the bank line with this identity, or null. `removed` is 1 if its import was removed. */
export function findBankLineByIdentity(
  books: ReadableDb,
  line: BankLineIdentity,
): { id: number; removed: number } | null {
  const sql = `SELECT bank_line.id, removed FROM bank_account CROSS JOIN bank_line INDEXED BY bank_line_identity ON account_id = bank_account.id
       WHERE name = ? AND booked_on = ? AND amount_in_cents = ? AND bank_line.currency = ? AND bank_id = ? AND text_hash = ?
         AND occurrence = ?`;
  return select.row<{ id: number; removed: number }>(
    books,
    sql,
    line.account,
    line.booked_on,
    line.amount_in_cents,
    line.currency,
    line.bank_id,
    line.text_hash,
    line.occurrence,
  );
}

/** Returns the id of the payout with this account, payout id and currency, or null. */
export function findPayoutByIdentity(
  books: ReadableDb,
  { account, payout_id, currency }: PayoutIdentity,
): number | null {
  const sql = `SELECT bank_payout.id FROM bank_payout JOIN bank_account ON bank_account.id = account_id
       WHERE name = ? AND payout_id = ? AND bank_payout.currency = ?`;
  return select.value<number>(books, sql, account, payout_id, currency);
}

/** Returns the matches that contain a line or payment, newest first. */
export function listMatchesContainingItem(
  books: ReadableDb,
  kind: 'line' | 'transaction',
  id: number,
): number[] {
  const sql = `SELECT DISTINCT group_id FROM match_item WHERE ${kind}_id = ? ORDER BY group_id DESC`;
  return select.values<number>(books, sql, id);
}

/** Returns the id of the confirmed match between a payout and its deposit, or null. */
export function findPayoutDepositMatch(books: ReadableDb, payout: number): number | null {
  const sql = "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed'";
  return select.value<number>(books, sql, payout);
}

/** Returns the transactions that the cache contains. Some of them may not be in the books yet. */
export function findStoredTransactions(cache: ReadableDb, ids: readonly number[]): Set<number> {
  const sql = 'SELECT DISTINCT id FROM txn WHERE id IN (SELECT value FROM json_each(?))';
  return new Set(select.values<number>(cache, sql, JSON.stringify(ids)));
}

type Entry = PackDecisions['exceptions'][number]['entries'][number];

/** Returns the entries that people added to an exception's history, oldest first. */
export function listUserExceptionEntries(
  books: ReadableDb,
  exception: number,
): (Omit<Entry, 'at'> & { at: number })[] {
  const sql =
    'SELECT at, user, action, text FROM exception_entry WHERE exception_id = ? AND user IS NOT NULL ORDER BY seq';
  return select.rows<Omit<Entry, 'at'> & { at: number }>(books, sql, exception);
}

export function findExceptionAssignee(books: ReadableDb, exception: number): string | null {
  return select.value<string>(books, 'SELECT assigned FROM exception WHERE id = ?', exception);
}

/** Returns true if a match rule with this title was deleted. */
export function isMatchRuleRemoved(books: ReadableDb, title: string): boolean {
  return (
    prepareSql(books, 'SELECT 1 FROM match_rule WHERE title = ? AND removed = 1 LIMIT 1').get(title) !==
    undefined
  );
}
