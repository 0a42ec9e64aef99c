import type { ConfirmedMatch, ConfirmedMatchItem } from '../../../domain/workpaper/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import {
  type DayRange,
  PAYOUTS_SQL,
  POSTED_LINES_SQL,
  POSTED_PAYMENTS_SQL,
  postedDaySql,
} from './posted-rows.ts';

interface StoredMember {
  group_id: number;
  currency: string;
  cleared_on: string;
  payout_id: number | null;
  reverses: number | null;
  claim_state: number;
  category: string | null;
  cents: number;
  line_id: number | null;
  transaction_id: number | null;
  day: string | null;
  account: 'bank' | 'processor' | 'ledger' | null;
  kind: string | null;
  flag: number;
}

/** SQL for matches that claim a line, a payment or a payout's deposit dated in the range. */
const TOUCHED_MATCHES = `
  SELECT group_id FROM ${POSTED_LINES_SQL} AS line CROSS JOIN match_item INDEXED BY match_item_line ON line_id = line.id AND claim_state >= 3
    WHERE line.claimed_in_cents <> 0
  UNION SELECT group_id FROM ${POSTED_PAYMENTS_SQL} AS payment
    CROSS JOIN match_item INDEXED BY match_item_transaction ON transaction_id = payment.id AND claim_state >= 3
    WHERE payment.claimed_in_cents <> 0
  UNION SELECT match_group.id FROM bank_payout CROSS JOIN match_group INDEXED BY match_group_payout
    ON match_group.payout_id = bank_payout.id AND status = 'confirmed'
    WHERE bank_payout.removed = 0 AND ${postedDaySql('payout', 'bank_payout', 'bank_payout.paid_on')} BETWEEN ?1 AND ?2`;

/** SQL for the items of confirmed matches, given as a JSON array of ids. */
const MATCH_MEMBERS = `SELECT match_group.id AS group_id, match_group.currency, cleared_on, match_group.payout_id, reverses, claim_state, category,
       allocated_in_cents AS cents, line_id, transaction_id,
       iif(line_id IS NULL, ${postedDaySql('payment', 'match_payment', 'match_payment.paid_on')}, ${postedDaySql('line', 'bank_line', 'bank_line.booked_on')}) AS day,
       bank_account.kind AS account, coalesce(bank_line.kind, match_payment.kind) AS kind,
       coalesce(match_payment.removed, bank_payout.id IS NOT NULL, 0) AS flag
     FROM json_each(?) AS touched CROSS JOIN match_group ON match_group.id = touched.value
       CROSS JOIN match_cleared ON match_cleared.group_id = match_group.id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
       LEFT JOIN match_payment ON match_payment.id = transaction_id
       LEFT JOIN bank_line ON bank_line.id = line_id LEFT JOIN bank_account ON bank_account.id = bank_line.account_id
       LEFT JOIN bank_payout ON bank_payout.account_id = bank_line.account_id AND bank_payout.payout_id = bank_line.payout_id
         AND bank_payout.currency = bank_line.currency AND bank_payout.removed = 0
     WHERE claim_state >= 3 ORDER BY match_group.id, ordinal`;

/** Number of matches whose items are read at once, because sorting the items of all matches would block the thread. */
const MATCHES_PER_BATCH = 500;

/** Yields the confirmed matches with items dated in the range, ordered by id. */
export function* readConfirmedMatches(
  books: ReadableDb,
  { first, last }: DayRange,
): Generator<ConfirmedMatch, void, undefined> {
  const idsSql = convertNumberedParameters(`${TOUCHED_MATCHES} ORDER BY 1`);
  const ids = select.values<number>(books, idsSql, first, last);
  const batch = prepareSql<StoredMember>(books, MATCH_MEMBERS);
  for (let from = 0; from < ids.length; from += MATCHES_PER_BATCH)
    yield* toConfirmedMatches(books, batch.all(JSON.stringify(ids.slice(from, from + MATCHES_PER_BATCH))));
}

/** Yields matches from their items, which are sorted by match. */
function* toConfirmedMatches(
  books: ReadableDb,
  rows: readonly StoredMember[],
): Generator<ConfirmedMatch, void, undefined> {
  let group: Omit<ConfirmedMatch, 'members'> | null = null;
  let members: ConfirmedMatchItem[] = [];
  for (const row of rows) {
    if (group !== null && group.id !== row.group_id) {
      yield { ...group, members };
      group = null;
      members = [];
    }
    group ??= {
      id: row.group_id,
      currency: row.currency,
      cleared_on: row.cleared_on,
      payout: row.payout_id === null ? null : findSentPayout(books, row.payout_id),
      isReversal: row.reverses !== null,
    };
    members.push(toMatchItem(row));
  }
  if (group !== null) yield { ...group, members };
}

function toMatchItem(row: StoredMember): ConfirmedMatchItem {
  const { line_id, transaction_id, category, cents, day, account } = row;
  const isOutOfScope = row.claim_state === 4;
  if (category !== null) {
    const none = { id: 0, day: null, account: null, flag: false };
    return { of: 'adjustment', ...none, cents, kind: category, isOutOfScope };
  }
  const of = line_id === null ? 'payment' : 'line';
  const id = line_id ?? transaction_id ?? 0;
  return { of, id, cents, day, account, kind: row.kind ?? '', flag: row.flag === 1, isOutOfScope };
}

/** Returns the day and amount of a sent payout, or null if its report was removed. */
function findSentPayout(books: ReadableDb, id: number): ConfirmedMatch['payout'] {
  const sql = `SELECT id, day, sent FROM ${PAYOUTS_SQL} WHERE id = ?`;
  return select.row<{ id: number; day: string; sent: number }>(books, sql, id);
}

/** Returns the adjustments by category of matches cleared in the range. */
export function sumMatchAdjustments(
  books: ReadableDb,
  { first, last }: DayRange,
): { currency: string; category: string; count: number; amount_in_cents: number }[] {
  const sql = `SELECT currency, category, count(*) AS count, sum(allocated_in_cents) AS amount_in_cents
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
     WHERE cleared_on BETWEEN ? AND ? AND category IS NOT NULL AND claim_state >= 3 GROUP BY currency, category ORDER BY currency, category`;
  return select.rows<{ currency: string; category: string; count: number; amount_in_cents: number }>(
    books,
    sql,
    first,
    last,
  );
}

export function countClearedMatches(books: ReadableDb, { first, last }: DayRange): number {
  const sql = 'SELECT count(*) FROM match_cleared WHERE cleared_on BETWEEN ? AND ?';
  return select.value<number>(books, sql, first, last) ?? 0;
}
