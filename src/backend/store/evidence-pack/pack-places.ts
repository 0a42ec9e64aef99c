import type { LineIdentity, PackDecisions, PayoutIdentity } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Finds in these books what a pack names permanently. */

/** `gone` is 1 if the line was removed with its import. It would come back under its id. */
export function lineOf(books: ReadableDb, line: LineIdentity): { id: number; gone: number } | null {
  return (
    prepared<{ id: number; gone: number }>(
      books,
      `SELECT bank_line.id, gone FROM bank_account CROSS JOIN bank_line INDEXED BY bank_line_identity ON account_id = bank_account.id
       WHERE name = ? AND booked_on = ? AND amount_in_cents = ? AND bank_line.currency = ? AND bank_id = ? AND words = ?
         AND occurrence = ?`,
    ).get(
      line.account,
      line.booked_on,
      line.amount_in_cents,
      line.currency,
      line.bank_id,
      line.words,
      line.occurrence,
    ) ?? null
  );
}

/** Returns the id of the payout that a pack names by account, payout id and currency, or null. */
export function payoutOf(books: ReadableDb, { account, payout_id, currency }: PayoutIdentity): number | null {
  return (
    prepared<number>(
      books,
      `SELECT bank_payout.id FROM bank_payout JOIN bank_account ON bank_account.id = account_id
       WHERE name = ? AND payout_id = ? AND bank_payout.currency = ?`,
    )
      .pluck()
      .get(account, payout_id, currency) ?? null
  );
}

/** Returns the matches that contain a line or payment, newest first. */
export function groupsHolding(books: ReadableDb, kind: 'line' | 'transaction', id: number): number[] {
  return prepared<number>(
    books,
    `SELECT DISTINCT group_id FROM match_item WHERE ${kind}_id = ? ORDER BY group_id DESC`,
  )
    .pluck()
    .all(id);
}

/** Returns the confirmed match of a payout's deposit. */
export function groupOfPayout(books: ReadableDb, payout: number): number | null {
  return (
    prepared<number>(books, "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed'")
      .pluck()
      .get(payout) ?? null
  );
}

/** Returns true if the note already exists. */
export function isNoted(
  books: ReadableDb,
  on: 'group' | 'line' | 'transaction',
  id: number,
  { at, user, text }: { at: number; user: string; text: string },
): boolean {
  const sql = `SELECT 1 FROM match_note WHERE ${on}_id = ? AND at = ? AND user = ? AND text = ?`;
  return prepared(books, sql).get(id, at, user, text) !== undefined;
}

/** Returns which of these transactions the cache has. The books may not know them yet. */
export function transactionsIn(cache: ReadableDb, ids: readonly number[]): Set<number> {
  return new Set(
    prepared<number>(cache, 'SELECT DISTINCT id FROM txn WHERE id IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(ids)),
  );
}

type Entry = PackDecisions['exceptions'][number]['entries'][number];

/** Returns the history entries that people made about an exception, oldest first. */
export function peoplesEntries(books: ReadableDb, exception: number): (Omit<Entry, 'at'> & { at: number })[] {
  return prepared<Omit<Entry, 'at'> & { at: number }>(
    books,
    'SELECT at, user, action, text FROM exception_entry WHERE exception_id = ? AND user IS NOT NULL ORDER BY seq',
  ).all(exception);
}

export function assignedOf(books: ReadableDb, exception: number): string | null {
  return (
    prepared<string | null>(books, 'SELECT assigned FROM exception WHERE id = ?').pluck().get(exception) ??
    null
  );
}

/** Returns true if a rule with this title was deleted. */
export function isRemovedRule(books: ReadableDb, title: string): boolean {
  return (
    prepared(books, 'SELECT 1 FROM match_rule WHERE title = ? AND removed = 1 LIMIT 1').get(title) !==
    undefined
  );
}
