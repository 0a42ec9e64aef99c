import type { LineIdentity, PackDecisions, PayoutIdentity } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select } from '../sqlite/connection.ts';

/** Returns the line with this identity, or null. `removed` is 1 if its import was removed. */
export function findLineByIdentity(
  books: ReadableDb,
  line: LineIdentity,
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

/** Returns the id of the payout that a pack names by account, payout id and currency, or null. */
export function findPayoutByIdentity(
  books: ReadableDb,
  { account, payout_id, currency }: PayoutIdentity,
): number | null {
  const sql = `SELECT bank_payout.id FROM bank_payout JOIN bank_account ON bank_account.id = account_id
       WHERE name = ? AND payout_id = ? AND bank_payout.currency = ?`;
  return select.value<number>(books, sql, account, payout_id, currency);
}

/** Returns the matches that contain a line or payment, newest first. */
export function listMatchesContaining(books: ReadableDb, kind: 'line' | 'transaction', id: number): number[] {
  const sql = `SELECT DISTINCT group_id FROM match_item WHERE ${kind}_id = ? ORDER BY group_id DESC`;
  return select.values<number>(books, sql, id);
}

/** Returns the confirmed match of a payout's deposit. */
export function findMatchOfPayout(books: ReadableDb, payout: number): number | null {
  const sql = "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed'";
  return select.value<number>(books, sql, payout);
}

/** Returns true if the note already exists. */
export function hasNote(
  books: ReadableDb,
  on: 'group' | 'line' | 'transaction',
  id: number,
  { at, user, text }: { at: number; user: string; text: string },
): boolean {
  const sql = `SELECT 1 FROM match_note WHERE ${on}_id = ? AND at = ? AND user = ? AND text = ?`;
  return prepare(books, sql).get(id, at, user, text) !== undefined;
}

/** Returns which of these transactions the cache has. The books may not know them yet. */
export function findStoredTransactions(cache: ReadableDb, ids: readonly number[]): Set<number> {
  const sql = 'SELECT DISTINCT id FROM txn WHERE id IN (SELECT value FROM json_each(?))';
  return new Set(select.values<number>(cache, sql, JSON.stringify(ids)));
}

type Entry = PackDecisions['exceptions'][number]['entries'][number];

/** Returns the history entries that people made about an exception, oldest first. */
export function listUserEntries(
  books: ReadableDb,
  exception: number,
): (Omit<Entry, 'at'> & { at: number })[] {
  const sql =
    'SELECT at, user, action, text FROM exception_entry WHERE exception_id = ? AND user IS NOT NULL ORDER BY seq';
  return select.rows<Omit<Entry, 'at'> & { at: number }>(books, sql, exception);
}

export function findAssignee(books: ReadableDb, exception: number): string | null {
  return select.value<string>(books, 'SELECT assigned FROM exception WHERE id = ?', exception);
}

/** Returns true if a rule with this title was deleted. */
export function isRemovedRule(books: ReadableDb, title: string): boolean {
  return (
    prepare(books, 'SELECT 1 FROM match_rule WHERE title = ? AND removed = 1 LIMIT 1').get(title) !==
    undefined
  );
}
