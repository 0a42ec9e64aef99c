import type { ClosedFiguresRowKind } from '../../../contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../../domain/periods/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { postedDaySql } from '../workpaper/posted-rows.ts';

/** Days that one closing covers, both inclusive. `from` is null for the first closing. */
export interface ClosedDateRange {
  from: string | null;
  until: string;
}

/** A row as stored in the closed figures, in canonical JSON. */
export interface ClosedRow {
  row: number;
  text: string;
}

export interface ClosedFiguresStores {
  cache: ReadableDb;
  books: ReadableDb;
}

/** Row ids above `after` and up to `upTo`, at most `limit` rows. */
export interface ClosedRowRange {
  after: number;
  upTo: number;
  limit: number;
}

/** Kinds of closed rows, in the order of storage. */
export const closedRowKinds = [
  'file',
  'statement',
  'payment',
  'line',
  'payout',
  'match',
  'exception',
] as const satisfies readonly ClosedFiguresRowKind[];

/** Returns the rows of a kind that are posted in the date range, by id, as they were at the end of the range. */
export function readClosedRows(
  stores: ClosedFiguresStores,
  kind: ClosedFiguresRowKind,
  days: ClosedDateRange,
  range: ClosedRowRange,
): ClosedRow[] {
  const { after, upTo, limit } = range;
  const { from, until } = days;
  const db = kind === 'statement' ? stores.cache : stores.books;
  const found = select.rows<StoredClosedRow>(db, queries[kind], after, upTo, until, from ?? '', until, limit);
  const complete =
    kind === 'statement'
      ? addTransactions(db, found, until)
      : kind === 'match'
        ? addMatchItems(db, found)
        : found;
  return complete.map((row) => ({ row: row.id, text: canonicalJson(row) }));
}

/** Returns the current version of a closed row. Null if it no longer exists or is posted outside the date range. */
export function readClosedRow(
  stores: ClosedFiguresStores,
  kind: ClosedFiguresRowKind,
  days: ClosedDateRange,
  row: number,
): ClosedRow | null {
  return readClosedRows(stores, kind, days, { after: row - 1, upTo: row, limit: 1 })[0] ?? null;
}

type StoredClosedRow = { id: number } & { [name: string]: CanonicalJson };

interface ClosedRowSource {
  columns: string;
  table: string;
  /** SQL for the date of the row. */
  day: string;
  /** SQL for the day on which the row is posted. */
  posted: string;
  condition: string;
}

/** Returns the SQL for closed rows. Parameters: id range, last day, first and last posting day, limit. */
function getRowsSql({ columns, table, day, posted, condition }: ClosedRowSource): string {
  return `SELECT * FROM (
      SELECT ${columns}, ${posted} AS posted_on FROM ${table} WHERE id > ? AND id <= ? AND ${condition} AND ${day} <= ?)
    WHERE posted_on BETWEEN ? AND ? ORDER BY id LIMIT ?`;
}

function getDatedRowsSql(kind: string, source: Omit<ClosedRowSource, 'posted'>): string {
  return getRowsSql({ ...source, posted: postedDaySql(kind, source.table, source.day) });
}

const CLOSED_ON = 'substr(closed_at_text, 1, 10)';

const queries: Record<ClosedFiguresRowKind, string> = {
  statement: getRowsSql({
    columns: `id, subscription_id, opened_at_text AS opened_at, closed_at_text AS closed_at, settled_at_text AS settled_at,
     starting_balance_in_cents, ending_balance_in_cents`,
    ...{ table: 'statement', day: CLOSED_ON, posted: CLOSED_ON },
    condition: 'closed_at IS NOT NULL AND vanished_at IS NULL',
  }),
  payment: getDatedRowsSql('payment', {
    columns: 'id, statement_id, kind, paid_on, amount_in_cents, currency, payment_id, gateway_transaction_id',
    ...{ table: 'match_payment', day: 'paid_on', condition: 'removed = 0' },
  }),
  line: getDatedRowsSql('line', {
    columns: `id, account_id AS account, import_id AS import, row, booked_on, value_on, amount_in_cents, currency, kind, description,
     reference, counterparty, bank_id, payout_id, gateway_transaction_id, fee_in_cents, net_in_cents`,
    ...{ table: 'bank_line', day: 'booked_on', condition: 'removed = 0' },
  }),
  payout: getDatedRowsSql('payout', {
    columns: 'id, account_id AS account, payout_id, currency, paid_on, stated_in_cents',
    ...{ table: 'bank_payout', day: 'paid_on', condition: 'removed = 0' },
  }),
  match: `SELECT id, rule, rule_version, currency, lines_in_cents, transactions_in_cents, adjustments_in_cents, match_group.payout_id AS payout,
      changed_by AS decided_by, reason, cleared_on
    FROM match_cleared CROSS JOIN match_group ON match_group.id = group_id
    WHERE group_id > ? AND group_id <= ? AND cleared_on <= ? AND cleared_on BETWEEN ? AND ? ORDER BY group_id LIMIT ?`,
  exception: getDatedRowsSql('exception', {
    columns: `id, rule, severity, status, subscription_id, statement_id, transaction_id, event_id, webhook_id, component_id, dated_on,
     difference_in_cents, at_stake_in_cents, evidence, accepted_evidence`,
    ...{
      table: 'exception',
      day: 'dated_on',
      condition: "status IN ('open', 'accepted') AND dated_on <> ''",
    },
  }),
  file: getRowsSql({
    columns: 'id, account_id AS account, file, bytes, sha256, digest',
    ...{ table: 'bank_import', day: 'first_on', condition: "state = 'done'" },
    posted: `(SELECT max(${postedDaySql('line', 'bank_line', 'booked_on')}) FROM bank_line INDEXED BY bank_line_import
        WHERE import_id = bank_import.id AND removed = 0)`,
  }),
};

/** Adds each statement's transactions up to the end of the date range. Omits a later settlement. */
function addTransactions(
  db: ReadableDb,
  statements: readonly StoredClosedRow[],
  until: string,
): StoredClosedRow[] {
  const sql = `SELECT statement_id, id, coalesce(type, transaction_type) AS type, kind, amount_in_cents, starting_balance_in_cents,
         ending_balance_in_cents, success, created_at_text AS created_at, gateway_transaction_id
       FROM txn WHERE statement_id IN (SELECT value FROM json_each(?))
         AND (created_at_text IS NULL OR substr(created_at_text, 1, 10) <= ?)
       ORDER BY statement_id, ordinal`;
  const byStatement = Map.groupBy(
    select.rows<StoredClosedRow & { statement_id: number }>(
      db,
      sql,
      JSON.stringify(statements.map(({ id }) => id)),
      until,
    ),
    ({ statement_id }) => statement_id,
  );
  return statements.map(({ posted_on: _day, settled_at, ...row }) => ({
    ...row,
    settled_at: typeof settled_at === 'string' && settled_at.slice(0, 10) <= until ? settled_at : null,
    transactions: (byStatement.get(row.id) ?? []).map(({ statement_id: _id, ...transaction }) => transaction),
  }));
}

function addMatchItems(db: ReadableDb, groups: readonly StoredClosedRow[]): StoredClosedRow[] {
  const sql = `SELECT group_id, line_id AS line, transaction_id AS payment, allocated_in_cents, category, reason
       FROM match_item WHERE group_id IN (SELECT value FROM json_each(?)) ORDER BY group_id, ordinal`;
  const byGroup = Map.groupBy(
    select.rows<StoredClosedRow & { group_id: number }>(db, sql, JSON.stringify(groups.map(({ id }) => id))),
    ({ group_id }) => group_id,
  );
  return groups.map((group) => ({
    ...group,
    items: (byGroup.get(group.id) ?? []).map(({ group_id: _id, ...item }) => item),
  }));
}
