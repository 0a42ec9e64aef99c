import type { ClaimedGroup, ClaimedMember } from '../../../domain/workpaper/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { numbered } from '../numbered.ts';

/** Days, the first and the last included. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/**
 * The day a row counts on: its own, or, where that was locked when it came, the first one after. `?1` and `?2` are the first and the last
 * day. Every statement of this file that counts lines, payments or payouts of a period is made of these.
 */
const POSTED = (kind: string, table: string, day: string) =>
  `coalesce((SELECT posted_on FROM period_late WHERE period_late.kind = '${kind}' AND period_late.id = ${table}.id), ${table}.${day})`;

/** Lines of the days in their order of rows, with `day`, `account` (its kind) and `account_name`. */
const LINES = `(
  SELECT bank_line.*, booked_on AS day, bank_account.kind AS account, bank_account.name AS account_name
  FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS standing
    CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = bank_account.id AND state = standing.value
  WHERE booked_on BETWEEN ?1 AND ?2
    AND NOT EXISTS (SELECT 1 FROM period_late WHERE period_late.kind = 'line' AND period_late.id = bank_line.id)
  UNION ALL
  SELECT bank_line.*, posted_on, bank_account.kind, bank_account.name
  FROM period_late INDEXED BY period_late_posted CROSS JOIN bank_line ON bank_line.id = period_late.id
    CROSS JOIN bank_account ON bank_account.id = account_id
  WHERE period_late.kind = 'line' AND posted_on BETWEEN ?1 AND ?2 AND gone = 0)`;

/** Payments and refunds of the days that the service still has, with `day`. */
const PAYMENTS = `(
  SELECT match_payment.*, paid_on AS day
  FROM json_each('[0,1,2,3,4,5]') AS standing
    CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = standing.value
  WHERE paid_on BETWEEN ?1 AND ?2 AND gone = 0
    AND NOT EXISTS (SELECT 1 FROM period_late WHERE period_late.kind = 'payment' AND period_late.id = match_payment.id)
  UNION ALL
  SELECT match_payment.*, posted_on
  FROM period_late INDEXED BY period_late_posted CROSS JOIN match_payment ON match_payment.id = period_late.id
  WHERE period_late.kind = 'payment' AND posted_on BETWEEN ?1 AND ?2 AND gone = 0)`;

const SENT = `coalesce(bank_payout.stated_in_cents,
  (SELECT -sum(amount_in_cents) FROM bank_line INDEXED BY bank_line_payout WHERE bank_line.account_id = bank_payout.account_id
    AND bank_line.payout_id = bank_payout.payout_id AND bank_line.currency = bank_payout.currency AND gone = 0 AND kind = 'payout'),
  ${netOf('bank_payout')})`;

/** What the lines of a payout come to. */
function netOf(payout: string): string {
  return `(SELECT coalesce(sum(amount_in_cents - coalesce(fee_in_cents, 0)), 0) FROM bank_line INDEXED BY bank_line_payout
    WHERE bank_line.account_id = ${payout}.account_id AND bank_line.payout_id = ${payout}.payout_id
      AND bank_line.currency = ${payout}.currency AND gone = 0 AND kind <> 'payout')`;
}

/** Payouts that stand, with `day` (when they were sent), `sent` (what was) and `net` (what their lines come to). */
const PAYOUTS = `(
  SELECT bank_payout.*, ${POSTED('payout', 'bank_payout', 'paid_on')} AS day, ${SENT} AS sent, ${netOf('bank_payout')} AS net
  FROM bank_payout WHERE gone = 0)`;

/** The batch a line is in, where it is in one. */
const BATCH = `LEFT JOIN bank_payout ON bank_payout.account_id = line.account_id AND bank_payout.payout_id = line.payout_id
  AND bank_payout.currency = line.currency AND bank_payout.gone = 0`;

const RECEIPT = "kind IN ('payment', 'entry', 'refund')";
const CATEGORY = `CASE kind WHEN 'chargeback' THEN 'S2.chargebacks' WHEN 'fee' THEN 'S2.fees' WHEN 'fx' THEN 'S2.fx'
  WHEN 'reserve' THEN 'S2.reserve' ELSE 'S2.other' END`;
const OPEN = 'claimed_in_cents <> amount_in_cents';

/** A row of a figure: figure, part, currency, kind, id, day, cents. The figures that no match is needed for. */
const ROWS = `
  SELECT iif(kind = 'payment', 'S2.payments', 'S2.refunds') AS figure, '' AS part, currency, 'payment' AS kind, id, day,
    amount_in_cents AS cents FROM ${PAYMENTS}
  UNION ALL
  SELECT 'S1.matched', '', currency, 'payment', id, day, amount_in_cents FROM ${PAYMENTS} WHERE kind = 'payment'
  UNION ALL
  SELECT 'S2.open', kind || 's', currency, 'payment', id, day, claimed_in_cents - amount_in_cents FROM ${PAYMENTS} WHERE ${OPEN}
  UNION ALL
  SELECT 'S2.gross', account_name || iif(kind = 'refund', ', refunds', ', payments'), currency, 'line', id, day, amount_in_cents
  FROM ${LINES} WHERE account = 'processor' AND ${RECEIPT}
  UNION ALL
  SELECT 'S2.report-open', account_name, currency, 'line', id, day, amount_in_cents - claimed_in_cents
  FROM ${LINES} WHERE account = 'processor' AND ${RECEIPT} AND ${OPEN}
  UNION ALL
  SELECT ${CATEGORY}, account_name || ', ' || kind, currency, 'line', id, day,
    amount_in_cents - iif(kind = 'fee', coalesce(fee_in_cents, 0), 0)
  FROM ${LINES} WHERE account = 'processor' AND kind <> 'payout' AND NOT ${RECEIPT}
  UNION ALL
  SELECT 'S2.fees', account_name || ', kept of ' || iif(${RECEIPT}, 'payments', 'others'), currency, 'line', id, day, -fee_in_cents
  FROM ${LINES} WHERE account = 'processor' AND kind NOT IN ('payout', 'fee') AND fee_in_cents <> 0
  UNION ALL
  SELECT 'S2.remainder', '', currency, 'payout', id, day, sent - net FROM ${PAYOUTS} WHERE day BETWEEN ?1 AND ?2 AND sent <> net
  UNION ALL
  SELECT sides.value, '', currency, 'payout', id, day, sent FROM ${PAYOUTS} CROSS JOIN (SELECT 'S2.sent' AS value UNION ALL SELECT 'S3.sent') AS sides
  WHERE day BETWEEN ?1 AND ?2
  UNION ALL
  SELECT sides.value, '', line.currency, 'line', line.id, day, -amount_in_cents
  FROM ${LINES} AS line ${BATCH} CROSS JOIN (SELECT 'S2.sent' AS value UNION ALL SELECT 'S3.sent') AS sides
  WHERE account = 'processor' AND kind = 'payout' AND bank_payout.id IS NULL
  UNION ALL
  SELECT 'S3.not-found', '', payout.currency, 'payout', payout.id, day, -sent FROM ${PAYOUTS} AS payout
  WHERE day BETWEEN ?1 AND ?2 AND sent <> 0
    AND NOT EXISTS (SELECT 1 FROM match_group WHERE match_group.payout_id = payout.id AND status = 'confirmed')
  UNION ALL
  SELECT 'S3.not-found', '', line.currency, 'line', line.id, day, amount_in_cents - claimed_in_cents
  FROM ${LINES} AS line ${BATCH} WHERE account = 'processor' AND kind = 'payout' AND bank_payout.id IS NULL AND ${OPEN}
  UNION ALL
  SELECT 'S3.deposits', account_name, currency, 'line', id, day, amount_in_cents
  FROM ${LINES} WHERE account = 'bank' AND amount_in_cents > 0
  UNION ALL
  SELECT 'S3.open', account_name, currency, 'line', id, day, amount_in_cents - claimed_in_cents
  FROM ${LINES} WHERE account = 'bank' AND amount_in_cents > 0 AND ${OPEN}`;

/**
 * The processors' balances: every line up to the last day by what it is worth and when it is paid out. A payout in no batch takes from the
 * balance by itself.
 */
const BALANCES = `
  SELECT line.currency, line.id, line.account_name, day, iif(kind = 'payout', 0, -coalesce(fee_in_cents, 0)) + amount_in_cents AS net,
    iif(bank_payout.id IS NULL, '9999', ${POSTED('payout', 'bank_payout', 'paid_on')}) AS paid_on
  FROM (SELECT bank_line.*, ${POSTED('line', 'bank_line', 'booked_on')} AS day, bank_account.name AS account_name
    FROM bank_account CROSS JOIN bank_line ON account_id = bank_account.id
    WHERE bank_account.kind = 'processor' AND gone = 0) AS line ${BATCH}
  WHERE kind <> 'payout' OR bank_payout.id IS NULL`;

/** One pass over the lines: what each is of the balance at the beginning and at the end, and what was paid out before its day. */
const BALANCE_ROWS = `
  SELECT side.value AS figure, account_name AS part, currency, 'line' AS kind, id, day,
    CASE side.value WHEN 'S2.opening' THEN net WHEN 'S2.closing' THEN -net ELSE iif(day > ?2, net, -net) END AS cents
  FROM (${BALANCES}) AS line
    CROSS JOIN (SELECT 'S2.opening' AS value UNION ALL SELECT 'S2.closing' UNION ALL SELECT 'S2.ahead') AS side
  WHERE CASE side.value WHEN 'S2.opening' THEN day < ?1 AND paid_on >= ?1
    WHEN 'S2.closing' THEN day <= ?2 AND paid_on > ?2
    ELSE (day > ?2 AND paid_on BETWEEN ?1 AND ?2) OR (day BETWEEN ?1 AND ?2 AND paid_on < ?1) END`;

const ALL = `${ROWS} UNION ALL ${BALANCE_ROWS}`;

export interface FigureSum {
  figure: string;
  part: string;
  currency: string;
  count: number;
  cents: number;
}

/** The figures of S2 and S3 that no match is needed for, added up. */
export function figureSums(books: ReadableDb, { first, last }: Days): FigureSum[] {
  return prepared<FigureSum>(
    books,
    numbered(
      `SELECT figure, part, currency, count(*) AS count, sum(cents) AS cents FROM (${ALL}) GROUP BY figure, part, currency`,
    ),
  ).all(first, last);
}

/** Each row of each of them, in no order. */
export function figureParts(
  books: ReadableDb,
  { first, last }: Days,
): IterableIterator<
  FigureSum & { kind: Exclude<StoredFigureRow['kind'], 'match'>; id: number; day: string }
> {
  return prepared<FigureSum & { kind: Exclude<StoredFigureRow['kind'], 'match'>; id: number; day: string }>(
    books,
    numbered(`SELECT figure, part, currency, kind, id, day, cents, 1 AS count FROM (${ALL})`),
  ).iterate(first, last);
}

export interface StoredFigureRow {
  kind: 'statement' | 'payment' | 'line' | 'payout' | 'match';
  id: number;
  /** The match by which it is in the figure; null where by none. */
  match: number | null;
  day: string | null;
  cents: number;
}

/** The rows of one of these figures, behind a place, in the order of their days. */
export function figureRows(
  books: ReadableDb,
  { first, last }: Days,
  { figure, currency }: { figure: string; currency: string },
  after: { day: string; kind: string; id: number },
  limit: number,
): StoredFigureRow[] {
  return prepared<StoredFigureRow>(
    books,
    numbered(`SELECT kind, id, NULL AS match, day, cents FROM (${ALL}) WHERE figure = ?3 AND currency = ?4
       AND (day, kind, id) > (?5, ?6, ?7)
     ORDER BY day, kind, id LIMIT ?8`),
  ).all(first, last, figure, currency, after.day, after.kind, after.id, limit);
}

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

/** Matches that claim something of the days: a line, a payment or the deposit of a payout. */
const TOUCHED = `
  SELECT group_id FROM ${LINES} AS line CROSS JOIN match_item INDEXED BY match_item_line ON line_id = line.id AND standing >= 3
    WHERE line.claimed_in_cents <> 0
  UNION SELECT group_id FROM ${PAYMENTS} AS payment
    CROSS JOIN match_item INDEXED BY match_item_transaction ON transaction_id = payment.id AND standing >= 3
    WHERE payment.claimed_in_cents <> 0
  UNION SELECT match_group.id FROM bank_payout CROSS JOIN match_group INDEXED BY match_group_payout
    ON match_group.payout_id = bank_payout.id AND status = 'confirmed'
    WHERE bank_payout.gone = 0 AND ${POSTED('payout', 'bank_payout', 'paid_on')} BETWEEN ?1 AND ?2`;

/** Confirmed matches of the days, one at a time in the order of their numbers. */
export function* claimedGroups(
  books: ReadableDb,
  { first, last }: Days,
): Generator<ClaimedGroup, void, undefined> {
  const rows = prepared<StoredMember>(
    books,
    numbered(`SELECT match_group.id AS group_id, match_group.currency, cleared_on, match_group.payout_id, reverses, standing, category,
       allocated_in_cents AS cents, line_id, transaction_id,
       iif(line_id IS NULL, ${POSTED('payment', 'match_payment', 'paid_on')}, ${POSTED('line', 'bank_line', 'booked_on')}) AS day,
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
    payout: ClaimedGroup['payout'];
    reverses: boolean;
  } | null = null;
  let members: ClaimedMember[] = [];
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
      reverses: row.reverses !== null,
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
}: StoredMember): ClaimedMember {
  const ignored = standing === 4;
  if (category !== null)
    return { of: 'adjustment', id: 0, cents, day: null, account: null, kind: category, flag: false, ignored };
  const of = line_id === null ? 'payment' : 'line';
  return {
    of,
    id: line_id ?? transaction_id ?? 0,
    cents,
    day,
    account,
    kind: kind ?? '',
    flag: flag === 1,
    ignored,
  };
}

/** When a payout was sent, and what was; null where its report was taken back. */
function payoutSent(books: ReadableDb, id: number): ClaimedGroup['payout'] {
  return (
    prepared<{ id: number; day: string; sent: number }>(
      books,
      `SELECT id, day, sent FROM ${PAYOUTS} WHERE id = ?`,
    ).get(id) ?? null
  );
}

/** Lines of banks by which money went out, in the order of their days. */
export function debits(
  books: ReadableDb,
  { first, last }: Days,
): IterableIterator<{ id: number; currency: string; day: string; cents: number }> {
  return prepared<{ id: number; currency: string; day: string; cents: number }>(
    books,
    numbered(
      `SELECT id, currency, day, amount_in_cents AS cents FROM ${LINES} WHERE account = 'bank' AND amount_in_cents < 0 ORDER BY day, id`,
    ),
  ).iterate(first, last);
}

/** What nothing claims of payments and refunds before a day, by currency. */
export function openBefore(
  books: ReadableDb,
  day: string,
): { currency: string; count: number; cents: number }[] {
  return prepared<{ currency: string; count: number; cents: number }>(
    books,
    `SELECT currency, count(*) AS count, sum(amount_in_cents - claimed_in_cents) AS cents
     FROM json_each('[0,1,2,3]') AS standing CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = standing.value
     WHERE paid_on < ? AND gone = 0 GROUP BY currency`,
  ).all(day);
}

/** The day of the first line of a bank or processor; null where there is none. */
export function firstLineDay(books: ReadableDb): string | null {
  return (
    prepared<string | null>(
      books,
      `SELECT min((SELECT min(booked_on) FROM bank_line INDEXED BY bank_line_dated
         WHERE account_id = bank_account.id AND state = standing.value))
       FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS standing WHERE kind <> 'ledger'`,
    )
      .pluck()
      .get() ?? null
  );
}

/** The day of the last line of a bank or processor; null where there is none. */
export function lastBankDay(books: ReadableDb): string | null {
  return (
    prepared<string | null>(
      books,
      `SELECT max((SELECT max(booked_on) FROM bank_line INDEXED BY bank_line_dated
         WHERE account_id = bank_account.id AND state = standing.value))
       FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS standing WHERE kind <> 'ledger'`,
    )
      .pluck()
      .get() ?? null
  );
}

/** Differences put down to a category by the matches cleared on the days. */
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

/** Confirmed matches cleared on the days. */
export function countMatches(books: ReadableDb, { first, last }: Days): number {
  return (
    prepared<number>(books, 'SELECT count(*) FROM match_cleared WHERE cleared_on BETWEEN ? AND ?')
      .pluck()
      .get(first, last) ?? 0
  );
}
