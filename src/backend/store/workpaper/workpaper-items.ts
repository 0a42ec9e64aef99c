import { type ReadableDb, select } from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import { postedDaySql } from './posted-rows.ts';

/** A statement that does not foot or whose balance is not carried forward. */
export interface StatementTotalBreak {
  readonly id: number;
  readonly figure: string;
  readonly day: string | null;
  readonly cents: number;
}

export interface OutstandingItemsQuery {
  /** First and last day of the period. The last day is the as-of date. */
  readonly first: string;
  readonly last: string;
  /** First reconciled day. Rows with earlier dates are ignored. */
  readonly since: string;
  readonly transit_days: number;
  readonly breaks: readonly StatementTotalBreak[];
  /** Currency of the billing service. */
  readonly currency: string;
}

export interface OutstandingItemRow {
  kind: 'payment' | 'line' | 'payout' | 'statement';
  id: number;
  figure: string;
  currency: string;
  /** Amounts outstanding at the as-of date and now, in cents. */
  cents: number;
  now_cents: number;
  dated_on: string;
  age_days: number;
  text: string;
  category: string | null;
  owner: string | null;
  explanation: string | null;
  expected_on: string | null;
  brought_forward_from: string | null;
  cleared_on: string | null;
  explained: number;
  /** 1 if the item is posted in the period, 0 if it is posted in an earlier period. */
  inside: number;
}

/** SQL for the part of a row's amount claimed by matches cleared after the as-of date. */
const laterClaimsSql = (
  column: string,
  table: string,
) => `coalesce((SELECT sum(allocated_in_cents) FROM match_item
    CROSS JOIN match_cleared ON match_cleared.group_id = match_item.group_id AND cleared_on > ?2
    WHERE match_item.${column} = ${table}.id AND claim_state >= 3), 0)`;
/** SQL for the day on which matches completely cleared a row. Null if part of the row is unmatched. */
const clearedOnSql = (
  column: string,
  table: string,
) => `iif(claimed_in_cents = amount_in_cents, (SELECT max(cleared_on) FROM match_item
    CROSS JOIN match_cleared ON match_cleared.group_id = match_item.group_id
    WHERE match_item.${column} = ${table}.id AND claim_state >= 3), NULL)`;

/** SQL for the ids of a table's rows that are unmatched or were cleared after the as-of date. */
const openRowsSql = (column: string, open: string) => `
  SELECT id FROM (${open})
  UNION
  SELECT ${column} FROM match_cleared INDEXED BY match_cleared_on
    CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id
    WHERE cleared_on > ?2 AND ${column} IS NOT NULL AND claim_state >= 3`;

const OPEN_PAYMENTS = `SELECT match_payment.id FROM json_each('[0,1,2,3]') AS states
  CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = states.value WHERE paid_on BETWEEN ?3 AND ?2`;
const OPEN_LINES = `SELECT bank_line.id FROM bank_account CROSS JOIN json_each('[0,1,2,3]') AS states
  CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = bank_account.id AND state = states.value
  WHERE booked_on BETWEEN ?3 AND ?2 AND bank_account.kind <> 'ledger'`;

const PAYMENTS = `
  SELECT 'payment' AS kind, match_payment.id, iif(claimed_in_cents = amount_in_cents, 'S2.later', 'S2.open') AS figure, currency,
    amount_in_cents - claimed_in_cents + ${laterClaimsSql('transaction_id', 'match_payment')} AS cents,
    amount_in_cents - claimed_in_cents AS now_cents, paid_on AS dated_on, ${postedDaySql('payment', 'match_payment', 'paid_on')} AS day,
    iif(match_payment.kind = 'refund', 'Refund ', 'Payment ') || match_payment.id || ', statement ' || statement_id
      || coalesce(', ' || customer_name, '') AS text,
    ${clearedOnSql('transaction_id', 'match_payment')} AS cleared_on, 1 AS moves
  FROM (${openRowsSql('transaction_id', OPEN_PAYMENTS)}) AS rest CROSS JOIN match_payment ON match_payment.id = rest.id
  WHERE removed = 0 AND paid_on >= ?3`;

const LINES = `
  SELECT 'line', line.id, iif(loose, iif(claimed_in_cents = amount_in_cents, 'S3.transit', 'S3.not-found'),
      iif(account = 'bank', 'S3.', 'S2.report-') || iif(claimed_in_cents = amount_in_cents, 'later', 'open')),
    currency, (amount_in_cents - claimed_in_cents + ${laterClaimsSql('line_id', 'line')}) * iif(loose, -1, 1),
    (amount_in_cents - claimed_in_cents) * iif(loose, -1, 1),
    booked_on, ${postedDaySql('line', 'line', 'booked_on')},
    account_name || ': ' || trim(description || coalesce(' ' || reference, '')), ${clearedOnSql('line_id', 'line')}, loose
  FROM (SELECT bank_line.*, bank_account.kind AS account, bank_account.name AS account_name,
      bank_account.kind = 'processor' AND bank_line.kind = 'payout' AND bank_payout.id IS NULL AS loose
    FROM (${openRowsSql('line_id', OPEN_LINES)}) AS rest CROSS JOIN bank_line ON bank_line.id = rest.id
      CROSS JOIN bank_account ON bank_account.id = bank_line.account_id
      LEFT JOIN bank_payout ON bank_payout.account_id = bank_line.account_id AND bank_payout.payout_id = bank_line.payout_id
        AND bank_payout.currency = bank_line.currency AND bank_payout.removed = 0
    WHERE bank_line.removed = 0 AND booked_on >= ?3 AND ((bank_account.kind = 'bank' AND amount_in_cents > 0)
      OR (bank_account.kind = 'processor' AND bank_line.kind IN ('payment', 'entry', 'refund', 'payout')))) AS line
  WHERE account = 'bank' OR kind <> 'payout' OR loose`;

const SENT = `coalesce(stated_in_cents, (SELECT -sum(amount_in_cents) FROM bank_line INDEXED BY bank_line_payout
    WHERE bank_line.account_id = bank_payout.account_id AND bank_line.payout_id = bank_payout.payout_id
      AND bank_line.currency = bank_payout.currency AND removed = 0 AND kind = 'payout'), net)`;
const NET = `(SELECT coalesce(sum(amount_in_cents - coalesce(fee_in_cents, 0)), 0) FROM bank_line INDEXED BY bank_line_payout
    WHERE bank_line.account_id = bank_payout.account_id AND bank_line.payout_id = bank_payout.payout_id
      AND bank_line.currency = bank_payout.currency AND removed = 0 AND kind <> 'payout')`;

const PAYOUTS = `
  SELECT 'payout', id, iif(cleared IS NULL, 'S3.not-found', iif(cleared > ?2, 'S3.transit', 'S2.remainder')), currency,
    iif(cleared <= ?2, sent - net, sent), iif(cleared <= ?2, sent - net, iif(cleared IS NULL, sent, 0)), paid_on, day,
    account_name || ': payout ' || payout_id, iif(cleared > ?2, cleared, NULL), cleared IS NULL OR cleared > ?2
  FROM (SELECT *, ${SENT} AS sent FROM (
    SELECT bank_payout.*, bank_account.name AS account_name, ${postedDaySql('payout', 'bank_payout', 'paid_on')} AS day, ${NET} AS net,
      (SELECT cleared_on FROM match_group CROSS JOIN match_cleared ON group_id = match_group.id
       WHERE match_group.payout_id = bank_payout.id AND status = 'confirmed') AS cleared
    FROM bank_payout CROSS JOIN bank_account ON bank_account.id = account_id
    WHERE removed = 0 AND paid_on BETWEEN ?3 AND ?2) AS bank_payout)
  WHERE cleared IS NULL OR cleared > ?2 OR sent <> net`;

const STATEMENTS = `
  SELECT 'statement', value ->> 'id', value ->> 'figure', ?6, value ->> 'cents', value ->> 'cents',
    coalesce(value ->> 'day', ?2), coalesce(value ->> 'day', ?2), 'Statement ' || (value ->> 'id'), NULL, 0
  FROM json_each(?5)`;

const ACCEPTED = `kind = 'statement' AND EXISTS (SELECT 1 FROM exception_link CROSS JOIN exception ON exception.id = exception_id
    WHERE exception_link.kind = 'statement' AND exception_link.id = item.id AND exception.status = 'accepted'
      AND rule IN ('statement-foots', 'balance-carried-forward'))`;

const ITEMS = `
  SELECT item.kind, item.id, figure, item.currency, cents, now_cents, dated_on, text, owner, explanation, expected_on, cleared_on,
    max(0, cast(julianday(?2) - julianday(dated_on) AS INTEGER)) AS age_days, day >= ?1 AS inside,
    coalesce(category, iif(cleared_on IS NOT NULL, 'cleared later', iif(moves AND julianday(?2) - julianday(dated_on) <= ?4, 'in transit', NULL)),
      iif(${ACCEPTED}, 'accepted exception', NULL)) AS category,
    (SELECT min(period.period) FROM closed_figures_item CROSS JOIN closed_figures ON closed_figures.id = closed_figures_id
       CROSS JOIN period ON period.id = period_id
     WHERE closed_figures_item.item = item.kind || ':' || item.id AND reopened_at IS NULL AND period.last_on < ?1) AS brought_forward_from
  FROM (${PAYMENTS} UNION ALL ${LINES} UNION ALL ${PAYOUTS} UNION ALL ${STATEMENTS}) AS item
  LEFT JOIN item_explanation ON item_explanation.item = item.kind || ':' || item.id
    AND seq = (SELECT max(seq) FROM item_explanation AS newest WHERE newest.item = item_explanation.item
      AND newest.period <= substr(?1, 1, 7))
  WHERE day <= ?2 AND cents <> 0`;

const EXPLAINED = '(explanation IS NOT NULL OR category IS NOT NULL) AS explained';

export interface OutstandingItemFilter {
  schedule?: string | undefined;
  figure?: string | undefined;
  currency?: string | undefined;
  explained?: boolean | undefined;
  /** Lowest and highest age in days. A null highest age is unbounded. */
  ages?: { from: number; to: number | null } | undefined;
}

const toItemValues = ({ first, last, since, transit_days, breaks, currency }: OutstandingItemsQuery) =>
  [first, last, since, transit_days, JSON.stringify(breaks), currency] as const;

/** Returns the items outstanding at the as-of date after a list position, oldest first. */
export function listOutstandingItemsAfter(
  books: ReadableDb,
  of: OutstandingItemsQuery,
  filter: OutstandingItemFilter,
  { after, limit }: { after: { dated_on: string; kind: string; id: number }; limit: number },
): OutstandingItemRow[] {
  const sql =
    convertNumberedParameters(`SELECT * FROM (SELECT *, ${EXPLAINED} FROM (${ITEMS})) WHERE ${FILTER} AND (dated_on, kind, id) > (?13, ?14, ?15)
     ORDER BY dated_on, kind, id LIMIT ?16`);
  const position = [after.dated_on, after.kind, after.id];
  const values = [...toItemValues(of), ...toFilterValues(filter), ...position, limit];
  return select.rows<OutstandingItemRow>(books, sql, ...values);
}

const FILTER = `(?7 IS NULL OR substr(figure, 1, 2) = ?7) AND (?8 IS NULL OR figure = ?8) AND (?9 IS NULL OR currency = ?9)
  AND (?10 IS NULL OR explained = ?10) AND age_days >= ?11 AND (?12 IS NULL OR age_days <= ?12)`;

function toFilterValues({ schedule, figure, currency, explained, ages }: OutstandingItemFilter) {
  const isExplained = explained === undefined ? null : Number(explained);
  return [
    schedule ?? null,
    figure ?? null,
    currency ?? null,
    isExplained,
    ages?.from ?? 0,
    ages?.to ?? null,
  ] as const;
}

/** Returns the number and total of the outstanding items by currency. */
export function sumOutstandingItems(
  books: ReadableDb,
  of: OutstandingItemsQuery,
  filter: OutstandingItemFilter,
): OutstandingItemTotal[] {
  const sql = convertNumberedParameters(`SELECT currency, count(*) AS count, sum(cents) AS amount_in_cents
      FROM (SELECT *, ${EXPLAINED} FROM (${ITEMS})) WHERE ${FILTER} GROUP BY currency ORDER BY currency`);
  return select.rows<OutstandingItemTotal>(books, sql, ...toItemValues(of), ...toFilterValues(filter));
}

export interface OutstandingItemTotal {
  currency: string;
  count: number;
  amount_in_cents: number;
}

export interface OutstandingItemSum {
  figure: string;
  currency: string;
  age_days: number;
  inside: number;
  explained: number;
  count: number;
  cents: number;
  now_cents: number;
  /** Sum of the absolute amounts outstanding now. */
  absolute_cents: number;
}

/** Returns the totals of the outstanding items by figure, currency and age. */
export function sumOutstandingItemsByFigure(
  books: ReadableDb,
  of: OutstandingItemsQuery,
): OutstandingItemSum[] {
  const sql =
    convertNumberedParameters(`SELECT figure, currency, age_days, inside, explained, count(*) AS count, sum(cents) AS cents, sum(now_cents) AS now_cents, sum(abs(now_cents)) AS absolute_cents
     FROM (SELECT *, ${EXPLAINED} FROM (${ITEMS})) GROUP BY figure, currency, age_days, inside, explained`);
  return select.rows<OutstandingItemSum>(books, sql, ...toItemValues(of));
}
