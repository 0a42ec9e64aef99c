import type { LineIdentity, PackDecisions, PayoutIdentity } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../database.ts';

/** Where that which a pack names for good stands in these books. */

/** `gone`: with its import; it comes back under its number. */
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

/** The payout here that a pack names by account, id and currency; null where it is not held. */
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

/** The groups that hold a line or payment, the newest first. */
export function groupsHolding(books: ReadableDb, kind: 'line' | 'transaction', id: number): number[] {
  return prepared<number>(
    books,
    `SELECT DISTINCT group_id FROM match_item WHERE ${kind}_id = ? ORDER BY group_id DESC`,
  )
    .pluck()
    .all(id);
}

/** The confirmed group of a payout’s deposit. */
export function groupOfPayout(books: ReadableDb, payout: number): number | null {
  return (
    prepared<number>(books, "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed'")
      .pluck()
      .get(payout) ?? null
  );
}

/** Whether a note stands there already. */
export function isNoted(
  books: ReadableDb,
  on: 'group' | 'line' | 'transaction',
  id: number,
  { at, who, text }: { at: number; who: string; text: string },
): boolean {
  const sql = `SELECT 1 FROM match_note WHERE ${on}_id = ? AND at = ? AND who = ? AND text = ?`;
  return prepared(books, sql).get(id, at, who, text) !== undefined;
}

/** Those of these transactions that the cache has: the books may not have been told of them yet. */
export function transactionsIn(cache: ReadableDb, ids: readonly number[]): Set<number> {
  return new Set(
    prepared<number>(cache, 'SELECT DISTINCT id FROM txn WHERE id IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(ids)),
  );
}

type Entry = PackDecisions['exceptions'][number]['entries'][number];

/** What people did about an exception, the oldest first. */
export function peoplesEntries(books: ReadableDb, exception: number): (Omit<Entry, 'at'> & { at: number })[] {
  return prepared<Omit<Entry, 'at'> & { at: number }>(
    books,
    'SELECT at, who, what, text FROM exception_entry WHERE exception_id = ? AND who IS NOT NULL ORDER BY seq',
  ).all(exception);
}

export function assignedOf(books: ReadableDb, exception: number): string | null {
  return (
    prepared<string | null>(books, 'SELECT assigned FROM exception WHERE id = ?').pluck().get(exception) ??
    null
  );
}

/** Whether a rule of this title was taken away. */
export function isRemovedRule(books: ReadableDb, title: string): boolean {
  return (
    prepared(books, 'SELECT 1 FROM match_rule WHERE title = ? AND removed = 1 LIMIT 1').get(title) !==
    undefined
  );
}
