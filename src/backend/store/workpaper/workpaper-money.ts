import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import {
  type DayRange,
  JOIN_PAYOUT_SQL,
  PAYOUTS_SQL,
  POSTED_LINES_SQL,
  POSTED_PAYMENTS_SQL,
  postedDaySql,
} from './posted-rows.ts';

const RECEIPT = "kind IN ('payment', 'entry', 'refund')";
const CATEGORY = `CASE kind WHEN 'chargeback' THEN 'S2.chargebacks' WHEN 'fee' THEN 'S2.fees' WHEN 'fx' THEN 'S2.fx'
  WHEN 'reserve' THEN 'S2.reserve' ELSE 'S2.other' END`;
const OPEN = 'claimed_in_cents <> amount_in_cents';

/** SQL for the rows behind the figures of payments, lines and payouts: figure, part, currency, kind, id, day, cents. */
const ROWS = `
  SELECT iif(kind = 'payment', 'S2.payments', 'S2.refunds') AS figure, '' AS part, currency, 'payment' AS kind, id, day,
    amount_in_cents AS cents, NULL AS account_id FROM ${POSTED_PAYMENTS_SQL}
  UNION ALL
  SELECT 'S1.matched', '', currency, 'payment', id, day, amount_in_cents, NULL FROM ${POSTED_PAYMENTS_SQL} WHERE kind = 'payment'
  UNION ALL
  SELECT 'S2.open', kind || 's', currency, 'payment', id, day, claimed_in_cents - amount_in_cents, NULL FROM ${POSTED_PAYMENTS_SQL} WHERE ${OPEN}
  UNION ALL
  SELECT 'S2.gross', account_name || iif(kind = 'refund', ', refunds', ', payments'), currency, 'line', id, day, amount_in_cents, account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'processor' AND ${RECEIPT}
  UNION ALL
  SELECT 'S2.report-open', account_name, currency, 'line', id, day, amount_in_cents - claimed_in_cents, account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'processor' AND ${RECEIPT} AND ${OPEN}
  UNION ALL
  SELECT ${CATEGORY}, account_name || ', ' || kind, currency, 'line', id, day,
    amount_in_cents - iif(kind = 'fee', coalesce(fee_in_cents, 0), 0), account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'processor' AND kind <> 'payout' AND NOT ${RECEIPT}
  UNION ALL
  SELECT 'S2.fees', account_name || ', kept of ' || iif(${RECEIPT}, 'payments', 'others'), currency, 'line', id, day, -fee_in_cents, account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'processor' AND kind NOT IN ('payout', 'fee') AND fee_in_cents <> 0
  UNION ALL
  SELECT 'S2.remainder', '', currency, 'payout', id, day, sent - net, account_id FROM ${PAYOUTS_SQL} WHERE day BETWEEN ?1 AND ?2 AND sent <> net
  UNION ALL
  SELECT sides.value, '', currency, 'payout', id, day, sent, account_id FROM ${PAYOUTS_SQL} CROSS JOIN (SELECT 'S2.sent' AS value UNION ALL SELECT 'S3.sent') AS sides
  WHERE day BETWEEN ?1 AND ?2
  UNION ALL
  SELECT sides.value, '', line.currency, 'line', line.id, day, -amount_in_cents, line.account_id
  FROM ${POSTED_LINES_SQL} AS line ${JOIN_PAYOUT_SQL} CROSS JOIN (SELECT 'S2.sent' AS value UNION ALL SELECT 'S3.sent') AS sides
  WHERE account = 'processor' AND kind = 'payout' AND bank_payout.id IS NULL
  UNION ALL
  SELECT 'S3.not-found', '', payout.currency, 'payout', payout.id, day, -sent, payout.account_id FROM ${PAYOUTS_SQL} AS payout
  WHERE day BETWEEN ?1 AND ?2 AND sent <> 0
    AND NOT EXISTS (SELECT 1 FROM match_group WHERE match_group.payout_id = payout.id AND status = 'confirmed')
  UNION ALL
  SELECT 'S3.not-found', '', line.currency, 'line', line.id, day, amount_in_cents - claimed_in_cents, line.account_id
  FROM ${POSTED_LINES_SQL} AS line ${JOIN_PAYOUT_SQL} WHERE account = 'processor' AND kind = 'payout' AND bank_payout.id IS NULL AND ${OPEN}
  UNION ALL
  SELECT 'S3.deposits', account_name, currency, 'line', id, day, amount_in_cents, account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'bank' AND amount_in_cents > 0
  UNION ALL
  SELECT 'S3.open', account_name, currency, 'line', id, day, amount_in_cents - claimed_in_cents, account_id
  FROM ${POSTED_LINES_SQL} WHERE account = 'bank' AND amount_in_cents > 0 AND ${OPEN}`;

/** SQL for the lines behind processor balances: net value, day of the line, and day of its payout. */
const BALANCES = `
  SELECT line.currency, line.id, line.account_id, line.account_name, day, iif(kind = 'payout', 0, -coalesce(fee_in_cents, 0)) + amount_in_cents AS net,
    iif(bank_payout.id IS NULL, '9999', ${postedDaySql('payout', 'bank_payout', 'bank_payout.paid_on')}) AS paid_on
  FROM (SELECT bank_line.*, ${postedDaySql('line', 'bank_line', 'bank_line.booked_on')} AS day, bank_account.name AS account_name
    FROM bank_account CROSS JOIN bank_line ON account_id = bank_account.id
    WHERE bank_account.kind = 'processor' AND removed = 0) AS line ${JOIN_PAYOUT_SQL}
  WHERE kind <> 'payout' OR bank_payout.id IS NULL`;

/** SQL for each line's share of the opening and closing balances, and for lines paid out before their own day. */
const BALANCE_ROWS = `
  SELECT side.value AS figure, account_name AS part, currency, 'line' AS kind, id, day,
    CASE side.value WHEN 'S2.opening' THEN net WHEN 'S2.closing' THEN -net ELSE iif(day > ?2, net, -net) END AS cents, account_id
  FROM (${BALANCES}) AS line
    CROSS JOIN (SELECT 'S2.opening' AS value UNION ALL SELECT 'S2.closing' UNION ALL SELECT 'S2.ahead') AS side
  WHERE CASE side.value WHEN 'S2.opening' THEN day < ?1 AND paid_on >= ?1
    WHEN 'S2.closing' THEN day <= ?2 AND paid_on > ?2
    ELSE (day > ?2 AND paid_on BETWEEN ?1 AND ?2) OR (day BETWEEN ?1 AND ?2 AND paid_on < ?1) END`;

const ALL = `${ROWS} UNION ALL ${BALANCE_ROWS}`;

/** Total of a figure's contributions. */
export interface FigureTotal {
  figure: string;
  part: string;
  currency: string;
  count: number;
  cents: number;
}

/** Returns the totals of payments, lines and payouts by figure, part and account (null for payments). */
export function sumMoneyFigures(
  books: ReadableDb,
  { first, last }: DayRange,
): (FigureTotal & { account_id: number | null })[] {
  const sql = convertNumberedParameters(
    `SELECT figure, part, currency, account_id, count(*) AS count, sum(cents) AS cents FROM (${ALL}) GROUP BY figure, part, currency, account_id`,
  );
  return select.rows<FigureTotal & { account_id: number | null }>(books, sql, first, last);
}

export interface FigurePart {
  figure: string;
  part: string;
  currency: string;
  kind: 'payment' | 'line' | 'payout';
  id: number;
  day: string;
  cents: number;
  account_id: number | null;
}

const PARTS = `SELECT figure, part, currency, kind, id, day, cents, account_id FROM (${ALL})`;

/** Yields the rows of these figures, or only of the figure `of`, in no particular order. */
export function readFigureParts(
  books: ReadableDb,
  { first, last }: DayRange,
  of?: { readonly figure: string; readonly currency: string },
): IterableIterator<FigurePart> {
  if (of === undefined)
    return prepareSql<FigurePart>(books, convertNumberedParameters(PARTS)).iterate(first, last);
  const sql = convertNumberedParameters(`${PARTS} WHERE figure = ?3 AND currency = ?4`);
  return prepareSql<FigurePart>(books, sql).iterate(first, last, of.figure, of.currency);
}

/** Yields the outgoing bank lines in date order. */
export function readBankDebits(
  books: ReadableDb,
  { first, last }: DayRange,
): IterableIterator<{ id: number; currency: string; day: string; cents: number }> {
  const sql = convertNumberedParameters(
    `SELECT id, currency, day, amount_in_cents AS cents FROM ${POSTED_LINES_SQL} WHERE account = 'bank' AND amount_in_cents < 0 ORDER BY day, id`,
  );
  return prepareSql<{ id: number; currency: string; day: string; cents: number }>(books, sql).iterate(
    first,
    last,
  );
}

/** SQL for payments and refunds before a day that are not completely matched. */
const OPEN_BEFORE = `
  SELECT match_payment.id, currency, paid_on AS day, amount_in_cents - claimed_in_cents AS cents
  FROM json_each('[0,1,2,3]') AS states CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = states.value
  WHERE paid_on < ? AND removed = 0`;

/** Returns the totals of incompletely matched payments and refunds before a day, by currency. */
export function sumUnclaimedPaymentsBefore(
  books: ReadableDb,
  day: string,
): { currency: string; count: number; cents: number }[] {
  const sql = `SELECT currency, count(*) AS count, sum(cents) AS cents FROM (${OPEN_BEFORE}) GROUP BY currency`;
  return select.rows<{ currency: string; count: number; cents: number }>(books, sql, day);
}

/** Yields each incompletely matched payment and refund before a day. */
export function readUnclaimedPaymentsBefore(
  books: ReadableDb,
  day: string,
): IterableIterator<Pick<FigurePart, 'id' | 'currency' | 'day' | 'cents'>> {
  return prepareSql<Pick<FigurePart, 'id' | 'currency' | 'day' | 'cents'>>(books, OPEN_BEFORE).iterate(day);
}

/** Returns the date of the first bank or processor line, or null if there is none. */
export const findEarliestLineDate = (books: ReadableDb): string | null => findLineDay(books, 'min');

/** Returns the date of the last bank or processor line, or null if there is none. */
export const findLatestLineDate = (books: ReadableDb): string | null => findLineDay(books, 'max');

function findLineDay(books: ReadableDb, end: 'min' | 'max'): string | null {
  const sql = `SELECT ${end}((SELECT ${end}(booked_on) FROM bank_line INDEXED BY bank_line_dated
         WHERE account_id = bank_account.id AND state = states.value))
       FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS states WHERE kind <> 'ledger'`;
  return select.value<string>(books, sql);
}
