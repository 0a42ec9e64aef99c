import type { ClosedRowKind } from '../../../contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../../domain/periods/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { postedOn } from '../workpaper/posted-rows.ts';

/** The days whose rows are closed together, both inclusive. `from` is null if nothing was closed before. */
export interface ClosedSpan {
  from: string | null;
  until: string;
}

/** A row as stored with the closed figures: its canonical JSON. */
export interface ClosedRow {
  row: number;
  text: string;
}

export interface ClosedFiguresStores {
  cache: ReadableDb;
  books: ReadableDb;
}

/** A range of ids: after one, up to another, with a maximum number of rows. */
export interface RowRange {
  after: number;
  upTo: number;
  limit: number;
}

/** Kinds of closed rows in the order in which they are stored. */
export const closedRowKinds = [
  'file',
  'statement',
  'payment',
  'line',
  'payout',
  'match',
  'exception',
] as const satisfies readonly ClosedRowKind[];

/**
 * Returns the current rows of a kind that count in the range, ordered by id. Later events are left out, so that they do
 * not change the rows.
 */
export function closedRows(
  stores: ClosedFiguresStores,
  kind: ClosedRowKind,
  span: ClosedSpan,
  range: RowRange,
): ClosedRow[] {
  const { after, upTo, limit } = range;
  const { from, until } = span;
  const db = kind === 'statement' ? stores.cache : stores.books;
  const found = prepared<Found>(db, queries[kind]).all(after, upTo, until, from ?? '', until, limit);
  const whole =
    kind === 'statement'
      ? withTransactions(db, found, until)
      : kind === 'match'
        ? withItems(db, found)
        : found;
  return whole.map((row) => ({ row: row.id, text: canonicalJson(row) }));
}

/** Returns the current row, or null if it does not exist or does not count in the range. */
export function toClosedRow(
  stores: ClosedFiguresStores,
  kind: ClosedRowKind,
  span: ClosedSpan,
  row: number,
): ClosedRow | null {
  return closedRows(stores, kind, span, { after: row - 1, upTo: row, limit: 1 })[0] ?? null;
}

type Found = { id: number } & { [name: string]: CanonicalJson };

/** Builds the query. Parameters are the range's ids, the last day, the first and last day, and the limit. */
function counting(columns: string, table: string, day: string, posted: string, standing: string): string {
  return `SELECT * FROM (
      SELECT ${columns}, ${posted} AS posted_on FROM ${table} WHERE id > ? AND id <= ? AND ${standing} AND ${day} <= ?)
    WHERE posted_on BETWEEN ? AND ? ORDER BY id LIMIT ?`;
}

const dated = (kind: string, table: string, day: string, standing: string, columns: string) =>
  counting(columns, table, day, postedOn(kind, table, day), standing);

const CLOSED_ON = 'substr(closed_at_text, 1, 10)';

const queries: Record<ClosedRowKind, string> = {
  statement: counting(
    `id, subscription_id, opened_at_text AS opened_at, closed_at_text AS closed_at, settled_at_text AS settled_at,
     starting_balance_in_cents, ending_balance_in_cents`,
    'statement',
    CLOSED_ON,
    CLOSED_ON,
    'closed_at IS NOT NULL AND vanished_at IS NULL',
  ),
  payment: dated(
    'payment',
    'match_payment',
    'paid_on',
    'gone = 0',
    'id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id',
  ),
  line: dated(
    'line',
    'bank_line',
    'booked_on',
    'gone = 0',
    `id, account_id AS account, import_id AS import, row, booked_on, value_on, amount_in_cents, currency, kind, description,
     reference, counterparty, bank_id, payout_id, gateway_transaction_id, fee_in_cents, net_in_cents`,
  ),
  payout: dated(
    'payout',
    'bank_payout',
    'paid_on',
    'gone = 0',
    'id, account_id AS account, payout_id, currency, paid_on, stated_in_cents',
  ),
  match: `SELECT id, rule, rule_version, currency, lines_in_cents, transactions_in_cents, adjustments_in_cents, match_group.payout_id AS payout,
      changed_by AS decided_by, reason, cleared_on
    FROM match_cleared CROSS JOIN match_group ON match_group.id = group_id
    WHERE group_id > ? AND group_id <= ? AND cleared_on <= ? AND cleared_on BETWEEN ? AND ? ORDER BY group_id LIMIT ?`,
  exception: dated(
    'exception',
    'exception',
    'dated_on',
    "status IN ('open', 'accepted') AND dated_on <> ''",
    `id, rule, severity, status, subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id, dated_on,
     difference_in_cents, at_stake_in_cents, evidence, accepted_evidence`,
  ),
  file: counting(
    'id, account_id AS account, file, bytes, sha256, digest',
    'bank_import',
    'first_on',
    `(SELECT max(${postedOn('line', 'bank_line', 'booked_on')}) FROM bank_line INDEXED BY bank_line_import
        WHERE import_id = bank_import.id AND gone = 0)`,
    "state = 'done'",
  ),
};

/**
 * Adds transactions. What a statement received after the range's end, for example the payment that settled it, is left
 * out.
 */
function withTransactions(db: ReadableDb, statements: readonly Found[], until: string): Found[] {
  const byStatement = Map.groupBy(
    prepared<Found & { statement_id: number }>(
      db,
      `SELECT statement_id, id, coalesce(type, transaction_type) AS type, kind, amount_in_cents, starting_balance_in_cents,
         ending_balance_in_cents, success, created_at_text AS created_at, gateway_transaction_id
       FROM txn WHERE statement_id IN (SELECT value FROM json_each(?))
         AND (created_at_text IS NULL OR substr(created_at_text, 1, 10) <= ?)
       ORDER BY statement_id, ordinal`,
    ).all(JSON.stringify(statements.map(({ id }) => id)), until),
    ({ statement_id }) => statement_id,
  );
  return statements.map(({ posted_on: _day, settled_at, ...row }) => ({
    ...row,
    settled_at: typeof settled_at === 'string' && settled_at.slice(0, 10) <= until ? settled_at : null,
    transactions: (byStatement.get(row.id) ?? []).map(({ statement_id: _id, ...transaction }) => transaction),
  }));
}

function withItems(db: ReadableDb, groups: readonly Found[]): Found[] {
  const byGroup = Map.groupBy(
    prepared<Found & { group_id: number }>(
      db,
      `SELECT group_id, line_id AS line, transaction_id AS payment, allocated_in_cents, category, reason
       FROM match_item WHERE group_id IN (SELECT value FROM json_each(?)) ORDER BY group_id, ordinal`,
    ).all(JSON.stringify(groups.map(({ id }) => id))),
    ({ group_id }) => group_id,
  );
  return groups.map((group) => ({
    ...group,
    items: (byGroup.get(group.id) ?? []).map(({ group_id: _id, ...item }) => item),
  }));
}
