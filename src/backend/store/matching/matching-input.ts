import { LOCKED_MATCH_CONDITION } from '../period-lock/period-lock.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Number of rows per query. No cursor stays open between queries, so that other code can write. */
const BATCH_SIZE = 1000;

export interface MatchableLine {
  id: number;
  account_id: number;
  booked_on: string;
  value_on: string | null;
  amount_in_cents: number;
  currency: string;
  kind: string;
  description: string;
  reference: string | null;
  counterparty: string | null;
  bank_id: string;
  payout_id: string | null;
  gateway_transaction_id: string | null;
  fee_in_cents: number | null;
  net_in_cents: number | null;
}

type LineRow = [
  number,
  number,
  string,
  string | null,
  number,
  string,
  string,
  string,
  string | null,
  string | null,
  string,
  string | null,
  string | null,
  number | null,
  number | null,
];

const LINE = `SELECT id, account_id, booked_on, value_on, amount_in_cents, currency, kind, description, reference, counterparty,
    bank_id, payout_id, gateway_transaction_id, fee_in_cents, net_in_cents FROM bank_line`;
const OF_ACCOUNTS = 'account_id IN (SELECT value FROM json_each(?))';

/** Yields every bank line of the given accounts, except lines of removed imports. */
export function* readMatchableLines(db: ReadableDb, accounts: readonly number[]): Generator<MatchableLine> {
  const sql = `${LINE} NOT INDEXED WHERE id > ? AND removed = 0 AND ${OF_ACCOUNTS} ORDER BY id LIMIT ${BATCH_SIZE}`;
  const statement = prepareSql<LineRow>(db, sql).raw();
  const of = JSON.stringify(accounts);
  for (const row of readInBatches<LineRow>((after) => statement.all(after, of) as LineRow[]))
    yield toMatchableLine(row);
}

/** Yields the bank lines that are not completely explained, for the match rules. Uses one indexed query. */
export function* readUnexplainedBankLines(
  db: ReadableDb,
  accounts: readonly number[],
): Generator<MatchableLine> {
  const rows = prepareSql<LineRow>(db, `${LINE} WHERE state < 4 AND ${OF_ACCOUNTS} ORDER BY id`)
    .raw()
    .iterate(JSON.stringify(accounts)) as IterableIterator<unknown> as IterableIterator<LineRow>;
  for (const row of rows) yield toMatchableLine(row);
}

function toMatchableLine(row: LineRow): MatchableLine {
  return {
    id: row[0],
    account_id: row[1],
    booked_on: row[2],
    value_on: row[3],
    amount_in_cents: row[4],
    currency: row[5],
    kind: row[6],
    description: row[7],
    reference: row[8],
    counterparty: row[9],
    bank_id: row[10],
    payout_id: row[11],
    gateway_transaction_id: row[12],
    fee_in_cents: row[13],
    net_in_cents: row[14],
  };
}

/** Yields rows in batches, ordered by their id in the first column. */
function* readInBatches<Row extends readonly [number, ...unknown[]]>(
  read: (after: number) => readonly Row[],
): Generator<Row> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return;
    after = last[0];
  }
}

/** Returns the approximate number of payments and lines to match. */
export function countMatchableRows(db: ReadableDb): { payments: number; lines: number } {
  const count = (sql: string) => select.value<number>(db, sql) ?? 0;
  return {
    payments: count('SELECT count(*) FROM match_payment'),
    lines: count('SELECT count(*) FROM bank_line'),
  };
}

export interface MatchablePayment {
  id: number;
  kind: 'payment' | 'refund';
  statement_id: number;
  subscription_id: number | null;
  payment_id: number | null;
  paid_on: string;
  amount_in_cents: number;
  currency: string;
  gateway_transaction_id: string | null;
  customer_name: string | null;
  organization: string | null;
}

type PaymentRow = [
  number,
  'payment' | 'refund',
  number,
  number | null,
  number | null,
  string,
  number,
  string,
  string | null,
  string | null,
  string | null,
];

export function* readMatchablePayments(db: ReadableDb): Generator<MatchablePayment> {
  const sql = `SELECT id, kind, statement_id, subscription_id, payment_id, paid_on, amount_in_cents, currency,
       gateway_transaction_id, customer_name, organization
     FROM match_payment WHERE id > ? AND removed = 0 ORDER BY id LIMIT ${BATCH_SIZE}`;
  const statement = prepareSql<PaymentRow>(db, sql).raw();
  for (const row of readInBatches<PaymentRow>((after) => statement.all(after) as PaymentRow[])) {
    yield {
      id: row[0],
      kind: row[1],
      statement_id: row[2],
      subscription_id: row[3],
      payment_id: row[4],
      paid_on: row[5],
      amount_in_cents: row[6],
      currency: row[7],
      gateway_transaction_id: row[8],
      customer_name: row[9],
      organization: row[10],
    };
  }
}

export interface MatchablePayout {
  id: number;
  account_id: number;
  payout_id: string;
  currency: string;
  paid_on: string;
  stated_in_cents: number | null;
  /** Cents that other accounts received by confirmed matches that this run keeps. */
  deposited_in_cents: number;
}

/** Returns the accounts' payouts, with deposits from matches that people or other runs decided. */
export function listMatchablePayouts(
  db: ReadableDb,
  accounts: readonly number[],
  scope: MatchRunAccounts,
): MatchablePayout[] {
  const { sql, bound } = getReplaceableCondition(scope);
  return select.rows<MatchablePayout>(
    db,
    `SELECT id, account_id, payout_id, currency, paid_on, stated_in_cents,
       (SELECT coalesce(sum(item.allocated_in_cents), 0)
        FROM match_group AS g CROSS JOIN match_item AS item ON item.group_id = g.id
          CROSS JOIN bank_line AS line ON line.id = item.line_id
        WHERE g.payout_id = bank_payout.id AND g.status = 'confirmed' AND item.line_id IS NOT NULL
          AND line.account_id <> bank_payout.account_id AND NOT (${sql})) AS deposited_in_cents
     FROM bank_payout
     WHERE removed = 0 AND account_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ...bound,
    JSON.stringify(accounts),
  );
}

/** Accounts that a matching run covers. Null for all accounts. */
export type MatchRunAccounts = readonly number[] | null;

/** SQL condition for a match `g` that a run made, nobody decided and no period locks, so that a run may remove it. */
const FOUND_BY_RUN = `g.key IS NOT NULL AND g.changed_by IS NULL AND NOT ${LOCKED_MATCH_CONDITION}`;

/** Returns the SQL condition for matches that a run may replace: all of their lines belong to the run's accounts. */
function getReplaceableCondition(scope: MatchRunAccounts): { sql: string; bound: string[] } {
  if (scope === null) return { sql: FOUND_BY_RUN, bound: [] };
  return {
    sql: `${FOUND_BY_RUN} AND NOT EXISTS (
      SELECT 1 FROM match_item AS i CROSS JOIN bank_line AS l ON l.id = i.line_id
      WHERE i.group_id = g.id AND i.line_id IS NOT NULL AND l.account_id NOT IN (SELECT value FROM json_each(?)))`,
    bound: [JSON.stringify(scope)],
  };
}

export interface ConfirmedClaim {
  of: 'line' | 'payment';
  id: number;
  amount_in_cents: number;
}

/** Returns the confirmed claims that a run must keep: those decided by people, locked, or of other accounts' runs. */
export function listDecidedClaims(db: ReadableDb, scope: MatchRunAccounts): ConfirmedClaim[] {
  const { sql, bound } = getReplaceableCondition(scope);
  const decided = `NOT (${sql})`;
  const claims = (column: 'line_id' | 'transaction_id', of: ConfirmedClaim['of']) =>
    select
      .rows<{ id: number; amount_in_cents: number }>(
        db,
        `SELECT item.${column} AS id, sum(item.allocated_in_cents) AS amount_in_cents
       FROM match_group AS g CROSS JOIN match_item AS item ON item.group_id = g.id
       WHERE g.status = 'confirmed' AND item.${column} IS NOT NULL AND ${decided} GROUP BY item.${column}`,
        ...bound,
      )
      .map((claim) => ({ of, ...claim }));
  return [...claims('line_id', 'line'), ...claims('transaction_id', 'payment')];
}

/** Returns the lines and payments of each match proposal that a person declined. */
export function listDeclinedProposals(db: ReadableDb): { lines: number[]; payments: number[] }[] {
  const declines = new Map<number, { lines: number[]; payments: number[] }>();
  const sql = `SELECT group_id, line_id, transaction_id FROM match_group AS g CROSS JOIN match_item ON group_id = g.id
     WHERE g.status = 'declined' AND category IS NULL ORDER BY group_id, ordinal`;
  const rows = select.rows<{ group_id: number; line_id: number | null; transaction_id: number | null }>(
    db,
    sql,
  );
  for (const { group_id, line_id, transaction_id } of rows) {
    const decline = declines.get(group_id) ?? { lines: [], payments: [] };
    if (line_id !== null) decline.lines.push(line_id);
    if (transaction_id !== null) decline.payments.push(transaction_id);
    declines.set(group_id, decline);
  }
  return [...declines.values()];
}

/** Returns the keys of matches that people have undone. */
export function listUndoneMatchKeys(db: ReadableDb): Set<string> {
  const sql =
    "SELECT key FROM match_group INDEXED BY match_group_blocked WHERE auto_confirm_blocked = 1 AND status = 'undone' AND key IS NOT NULL";
  return new Set(select.values<string>(db, sql));
}

/** Returns a batch of matches that runs made and nobody decided, with ids above `after`. */
export function listReplaceableMatches(
  db: ReadableDb,
  scope: MatchRunAccounts,
  after: number,
  limit: number,
): { id: number; status: 'confirmed' | 'suggested' | 'ambiguous' }[] {
  const { sql, bound } = getReplaceableCondition(scope);
  return select.rows<{ id: number; status: 'confirmed' | 'suggested' | 'ambiguous' }>(
    db,
    `SELECT g.id, g.status FROM match_group AS g
     WHERE g.status IN ('confirmed', 'suggested', 'ambiguous') AND ${sql} AND g.id > ? ORDER BY g.id LIMIT ?`,
    ...bound,
    after,
    limit,
  );
}

export interface MatchWithKey {
  id: number;
  status: string;
  rule: string;
  rule_version: number;
  score: number;
  alternatives: number;
  reasons: string;
  user_rule: number | null;
  changed_by: string | null;
  /** 1 if a closed period locks the match. */
  locked: number;
}

export function findMatchByKey(db: ReadableDb, key: string): MatchWithKey | null {
  const sql = `SELECT id, status, rule, rule_version, score, alternatives, reasons, user_rule, changed_by, ${LOCKED_MATCH_CONDITION} AS locked
       FROM match_group AS g INDEXED BY match_group_key
       WHERE key = ? AND status IN ('confirmed', 'suggested', 'ambiguous')`;
  return select.row<MatchWithKey>(db, sql, key);
}
