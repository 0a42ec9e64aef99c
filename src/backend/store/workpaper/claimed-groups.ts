import type { ConfirmedMatch, ConfirmedMatchItem } from '../../../domain/workpaper/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { numbered } from '../sqlite/numbered-parameters.ts';
import { type Days, LINES, PAYMENTS, PAYOUTS, postedOn } from './posted-rows.ts';

interface StoredMember {
  group_id: number;
  currency: string;
  cleared_on: string;
  payout_id: number | null;
  reverses: number | null;
  standing: number;
  category: string | null;
  cents: number;
  line_id: number | null;
  transaction_id: number | null;
  day: string | null;
  account: 'bank' | 'processor' | 'ledger' | null;
  kind: string | null;
  flag: number;
}

/** Matches that claim something dated in the range: a line, a payment or the deposit of a payout. */
const TOUCHED = `
  SELECT group_id FROM ${LINES} AS line CROSS JOIN match_item INDEXED BY match_item_line ON line_id = line.id AND standing >= 3
    WHERE line.claimed_in_cents <> 0
  UNION SELECT group_id FROM ${PAYMENTS} AS payment
    CROSS JOIN match_item INDEXED BY match_item_transaction ON transaction_id = payment.id AND standing >= 3
    WHERE payment.claimed_in_cents <> 0
  UNION SELECT match_group.id FROM bank_payout CROSS JOIN match_group INDEXED BY match_group_payout
    ON match_group.payout_id = bank_payout.id AND status = 'confirmed'
    WHERE bank_payout.gone = 0 AND ${postedOn('payout', 'bank_payout', 'bank_payout.paid_on')} BETWEEN ?1 AND ?2`;

/** Yields the confirmed matches of the range, ordered by id. */
export function* claimedGroups(
  books: ReadableDb,
  { first, last }: Days,
): Generator<ConfirmedMatch, void, undefined> {
  const rows = prepared<StoredMember>(
    books,
    numbered(`SELECT match_group.id AS group_id, match_group.currency, cleared_on, match_group.payout_id, reverses, standing, category,
       allocated_in_cents AS cents, line_id, transaction_id,
       iif(line_id IS NULL, ${postedOn('payment', 'match_payment', 'match_payment.paid_on')}, ${postedOn('line', 'bank_line', 'bank_line.booked_on')}) AS day,
       bank_account.kind AS account, coalesce(bank_line.kind, match_payment.kind) AS kind,
       coalesce(match_payment.gone, bank_payout.id IS NOT NULL, 0) AS flag
     FROM (${TOUCHED}) AS touched CROSS JOIN match_group ON match_group.id = touched.group_id
       CROSS JOIN match_cleared ON match_cleared.group_id = match_group.id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
       LEFT JOIN match_payment ON match_payment.id = transaction_id
       LEFT JOIN bank_line ON bank_line.id = line_id LEFT JOIN bank_account ON bank_account.id = bank_line.account_id
       LEFT JOIN bank_payout ON bank_payout.account_id = bank_line.account_id AND bank_payout.payout_id = bank_line.payout_id
         AND bank_payout.currency = bank_line.currency AND bank_payout.gone = 0
     WHERE standing >= 3 ORDER BY match_group.id, ordinal`),
  ).iterate(first, last);
  let group: {
    id: number;
    currency: string;
    cleared_on: string;
    payout: ConfirmedMatch['payout'];
    isReversal: boolean;
  } | null = null;
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
      payout: row.payout_id === null ? null : payoutSent(books, row.payout_id),
      isReversal: row.reverses !== null,
    };
    members.push(memberOf(row));
  }
  if (group !== null) yield { ...group, members };
}

function memberOf({
  line_id,
  transaction_id,
  category,
  cents,
  day,
  account,
  kind,
  flag,
  standing,
}: StoredMember): ConfirmedMatchItem {
  const isOutOfScope = standing === 4;
  if (category !== null)
    return {
      of: 'adjustment',
      id: 0,
      cents,
      day: null,
      account: null,
      kind: category,
      flag: false,
      isOutOfScope,
    };
  const of = line_id === null ? 'payment' : 'line';
  return {
    of,
    id: line_id ?? transaction_id ?? 0,
    cents,
    day,
    account,
    kind: kind ?? '',
    flag: flag === 1,
    isOutOfScope,
  };
}

/** Returns when a payout was sent and its amount, or null if its report was removed. */
function payoutSent(books: ReadableDb, id: number): ConfirmedMatch['payout'] {
  return (
    prepared<{ id: number; day: string; sent: number }>(
      books,
      `SELECT id, day, sent FROM ${PAYOUTS} WHERE id = ?`,
    ).get(id) ?? null
  );
}

/** Returns the adjustments by category of matches cleared in the range. */
export function adjustmentSums(
  books: ReadableDb,
  { first, last }: Days,
): { currency: string; category: string; count: number; amount_in_cents: number }[] {
  return prepared<{ currency: string; category: string; count: number; amount_in_cents: number }>(
    books,
    `SELECT currency, category, count(*) AS count, sum(allocated_in_cents) AS amount_in_cents
     FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
       CROSS JOIN match_item ON match_item.group_id = match_group.id
     WHERE cleared_on BETWEEN ? AND ? AND category IS NOT NULL AND standing >= 3 GROUP BY currency, category ORDER BY currency, category`,
  ).all(first, last);
}

/** Returns the number of confirmed matches cleared in the range. */
export function countMatches(books: ReadableDb, { first, last }: Days): number {
  return (
    prepared<number>(books, 'SELECT count(*) FROM match_cleared WHERE cleared_on BETWEEN ? AND ?')
      .pluck()
      .get(first, last) ?? 0
  );
}
