import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import { type DayRange, PAYOUTS_SQL } from './posted-rows.ts';

/** Account and currency whose lines are summed. */
export interface AccountCurrency {
  readonly id: number;
  readonly kind: 'bank' | 'processor';
  readonly currency: string;
}

/** SQL for a line's effect on its account's balance. Only for processors, the fee is deducted from the line. */
const EFFECT = `iif(?4 = 'processor', amount_in_cents - iif(kind = 'payout', 0, coalesce(fee_in_cents, 0)),
  coalesce(net_in_cents, amount_in_cents))`;

/** A line of an account with its amount and its effect on the balance, in cents. */
export interface AccountLine {
  id: number;
  day: string;
  cents: number;
  effect: number;
}

/** Yields the lines of an account booked in a range of days, even if they are posted in another period. */
export function readAccountLines(
  books: ReadableDb,
  { id, kind, currency }: AccountCurrency,
  { first, last }: DayRange,
): IterableIterator<AccountLine> {
  const sql =
    convertNumberedParameters(`SELECT bank_line.id, booked_on AS day, amount_in_cents AS cents, ${EFFECT} AS effect
    FROM json_each('[0,1,2,3,4,5]') AS states CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = ?1 AND state = states.value
    WHERE booked_on BETWEEN ?2 AND ?3 AND currency = ?5`);
  return prepareSql<AccountLine>(books, sql).iterate(id, first, last, kind, currency);
}

/** Returns the bank and processor accounts that have lines or bank statements in a currency, by name. */
export function listAccountsOfCurrency(
  books: ReadableDb,
  currency: string,
): { id: number; name: string; kind: 'bank' | 'processor' }[] {
  const sql = `SELECT id, name, kind FROM bank_account WHERE kind <> 'ledger'
      AND (EXISTS (SELECT 1 FROM json_each('[0,1,2,3,4,5]') AS states CROSS JOIN bank_line INDEXED BY bank_line_dated
          ON account_id = bank_account.id AND state = states.value WHERE bank_line.currency = ?)
        OR EXISTS (SELECT 1 FROM bank_statement WHERE account_id = bank_account.id AND bank_statement.currency = ? AND removed_at IS NULL))
    ORDER BY id`;
  return select.rows(books, sql, currency, currency);
}

/** Returns the currencies of the bank and processor accounts, their lines and their statements. */
export function listAccountCurrencies(books: ReadableDb): string[] {
  const sql = `SELECT currency FROM bank_account WHERE kind <> 'ledger' AND currency IS NOT NULL
    UNION SELECT currency FROM bank_statement WHERE removed_at IS NULL
    UNION SELECT bank_line.currency FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS states
      CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = bank_account.id AND state = states.value
      WHERE bank_account.kind <> 'ledger' AND bank_account.currency IS NULL`;
  return select.values<string>(books, sql);
}

/** Bank line, payment or payout that appears in only one of the balance per bank and the balance per books. */
export interface OutstandingBankRow {
  figure: 'unmatched' | 'later' | 'transit' | 'not-found';
  kind: 'line' | 'payment' | 'payout';
  id: number;
  match: number | null;
  day: string;
  cents: number;
}

/** SQL for the bank account that receives the money of a match. */
const RECEIVING_ACCOUNT = `(SELECT min(bank_line.account_id) FROM match_item AS received CROSS JOIN bank_line ON bank_line.id = received.line_id
    CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
  WHERE received.group_id = match_cleared.group_id AND bank_account.kind = 'bank')`;

/** SQL for matches cleared after the as-of date with money that this account receives. */
const LATE_MATCHES = `match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
  AND cleared_on > ?2 AND match_group.currency = ?3 AND ${RECEIVING_ACCOUNT} = ?1`;

const OUTSTANDING = `
  SELECT 'unmatched' AS figure, 'line' AS kind, bank_line.id, NULL AS match, booked_on AS day, claimed_in_cents - amount_in_cents AS cents
  FROM json_each('[0,1,2,3]') AS states CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = ?1 AND state = states.value
  WHERE booked_on <= ?2 AND currency = ?3 AND amount_in_cents > 0
  UNION ALL
  SELECT 'later', 'line', line_id, match_item.group_id, booked_on, -allocated_in_cents
  FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id
    CROSS JOIN bank_line ON bank_line.id = line_id AND account_id = ?1
  WHERE cleared_on > ?2 AND claim_state >= 3 AND booked_on <= ?2 AND currency = ?3 AND amount_in_cents > 0
  UNION ALL
  SELECT 'transit', 'payout', payout.id, match_cleared.group_id, payout.day, payout.sent
  FROM ${LATE_MATCHES} CROSS JOIN ${PAYOUTS_SQL} AS payout ON payout.id = match_group.payout_id WHERE payout.day <= ?2
  UNION ALL
  SELECT 'transit', 'line', bank_line.id, match_cleared.group_id, booked_on, -allocated_in_cents
  FROM ${LATE_MATCHES} CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id AND claim_state >= 3
    CROSS JOIN bank_line ON bank_line.id = line_id CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
    LEFT JOIN bank_payout ON bank_payout.account_id = bank_line.account_id AND bank_payout.payout_id = bank_line.payout_id
      AND bank_payout.currency = bank_line.currency AND bank_payout.removed = 0
  WHERE bank_account.kind = 'processor' AND bank_line.kind = 'payout' AND bank_payout.id IS NULL AND booked_on <= ?2
  UNION ALL
  SELECT 'transit', 'payment', match_payment.id, match_cleared.group_id, paid_on, allocated_in_cents
  FROM ${LATE_MATCHES} CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id AND claim_state >= 3
    CROSS JOIN match_payment ON match_payment.id = transaction_id
  WHERE match_payment.removed = 0 AND paid_on <= ?2 AND match_group.payout_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM match_item AS reported CROSS JOIN bank_line ON bank_line.id = reported.line_id
      CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
      WHERE reported.group_id = match_cleared.group_id AND bank_account.kind = 'processor')`;

const NOT_FOUND = `
  UNION ALL
  SELECT 'not-found', 'payout', payout.id, NULL, payout.day, payout.sent FROM ${PAYOUTS_SQL} AS payout
  WHERE payout.day <= ?2 AND payout.currency = ?3 AND sent <> 0
    AND NOT EXISTS (SELECT 1 FROM match_group WHERE match_group.payout_id = payout.id AND status = 'confirmed')
  UNION ALL
  SELECT 'not-found', 'line', line.id, NULL, booked_on, claimed_in_cents - amount_in_cents
  FROM bank_account CROSS JOIN json_each('[0,1,2,3]') AS states
    CROSS JOIN bank_line AS line INDEXED BY bank_line_dated ON line.account_id = bank_account.id AND line.state = states.value
    LEFT JOIN bank_payout ON bank_payout.account_id = line.account_id AND bank_payout.payout_id = line.payout_id
      AND bank_payout.currency = line.currency AND bank_payout.removed = 0
  WHERE bank_account.kind = 'processor' AND line.kind = 'payout' AND bank_payout.id IS NULL AND booked_on <= ?2 AND line.currency = ?3`;

/**
 * Yields the rows that only the bank or only the books contain at the as-of date, signed for adding to the balance per
 * bank. If the site has only one bank account, includes payouts without a matched deposit.
 */
export function readOutstandingBankRows(
  books: ReadableDb,
  { id, currency }: AccountCurrency,
  { last, isOnlyBank }: { last: string; isOnlyBank: boolean },
): IterableIterator<OutstandingBankRow> {
  const sql = convertNumberedParameters(isOnlyBank ? OUTSTANDING + NOT_FOUND : OUTSTANDING);
  return prepareSql<OutstandingBankRow>(books, sql).iterate(id, last, currency);
}

/** Returns the bank lines booked in one period and posted in another, signed for the balance of this period. */
export function readShiftedBankLines(
  books: ReadableDb,
  { first, last }: DayRange,
): IterableIterator<{ id: number; currency: string; day: string; cents: number }> {
  const sql = convertNumberedParameters(`SELECT bank_line.id, bank_line.currency, booked_on AS day,
      iif(booked_on BETWEEN ?1 AND ?2, 1, -1) * amount_in_cents AS cents
    FROM late_row CROSS JOIN bank_line ON bank_line.id = late_row.id CROSS JOIN bank_account ON bank_account.id = account_id
    WHERE late_row.kind = 'line' AND removed = 0 AND bank_account.kind = 'bank'
      AND (booked_on BETWEEN ?1 AND ?2) <> (posted_on BETWEEN ?1 AND ?2)`);
  return prepareSql<{ id: number; currency: string; day: string; cents: number }>(books, sql).iterate(
    first,
    last,
  );
}
