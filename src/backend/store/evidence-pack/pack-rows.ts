import { readAuditLog } from '../audit-log/audit-entry-list.ts';
import {
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { convertNumberedParameters } from '../sqlite/numbered-parameters.ts';
import { insertRow } from '../sqlite/write-row.ts';
import { type DayRange, PAYOUT_AMOUNT_SQL, postedDaySql } from '../workpaper/posted-rows.ts';

/** An imported bank or processor file. */
export interface EvidencePackSource {
  id: number;
  account: string;
  file: string;
  sha256: string;
  bytes: number;
  format: string;
  dialect: string;
  profile: string | null;
  at: number;
  user: string;
}

/** Returns the imports that cover days of the period, or have lines posted late or cleared in the period. */
export function listEvidencePackSources(books: ReadableDb, { first, last }: DayRange): EvidencePackSource[] {
  const sql =
    convertNumberedParameters(`SELECT bank_import.id, name AS account, file, sha256, bytes, format, dialect, profile, at, user
     FROM bank_import JOIN bank_account ON bank_account.id = account_id
     WHERE bank_import.id IN (
       SELECT id FROM bank_import WHERE state = 'done' AND first_on <= ?2 AND last_on >= ?1
       UNION SELECT import_id FROM late_row CROSS JOIN bank_line ON bank_line.id = late_row.id
         WHERE late_row.kind = 'line' AND posted_on BETWEEN ?1 AND ?2 AND removed = 0
       UNION SELECT import_id FROM match_cleared INDEXED BY match_cleared_on
         CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id CROSS JOIN bank_line ON bank_line.id = line_id
         WHERE cleared_on BETWEEN ?1 AND ?2)
     ORDER BY bank_import.id`);
  return select.rows<EvidencePackSource>(books, sql, first, last);
}

/** SQL for the lines dated or posted in the period, and the lines of matches cleared in the period. */
const LINES = `SELECT bank_line.id FROM bank_account CROSS JOIN json_each('[0,1,2,3,4,5]') AS states
    CROSS JOIN bank_line INDEXED BY bank_line_dated ON account_id = bank_account.id AND state = states.value
    WHERE booked_on BETWEEN ?1 AND ?2
  UNION SELECT id FROM late_row WHERE kind = 'line' AND posted_on BETWEEN ?1 AND ?2
  UNION SELECT line_id FROM match_cleared INDEXED BY match_cleared_on
    CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id
    WHERE cleared_on BETWEEN ?1 AND ?2 AND line_id IS NOT NULL`;
const PAYMENTS = `SELECT match_payment.id FROM json_each('[0,1,2,3,4,5]') AS states
    CROSS JOIN match_payment INDEXED BY match_payment_dated ON state = states.value WHERE paid_on BETWEEN ?1 AND ?2
  UNION SELECT id FROM late_row WHERE kind = 'payment' AND posted_on BETWEEN ?1 AND ?2
  UNION SELECT transaction_id FROM match_cleared INDEXED BY match_cleared_on
    CROSS JOIN match_item ON match_item.group_id = match_cleared.group_id
    WHERE cleared_on BETWEEN ?1 AND ?2 AND transaction_id IS NOT NULL`;

/** SQL for the tables that prove the figures, by file name. Amounts are in cents. */
const tables = {
  bank_lines: `SELECT bank_line.id, name AS account, bank_account.kind AS account_kind, import_id AS import, file, row, booked_on, value_on,
      amount_in_cents, claimed_in_cents, bank_line.currency, bank_line.kind, description, reference, counterparty, bank_id, payout_id,
      gateway_transaction_id, fee_in_cents, net_in_cents
    FROM (${LINES}) AS wanted CROSS JOIN bank_line ON bank_line.id = wanted.id
      CROSS JOIN bank_account ON bank_account.id = bank_line.account_id CROSS JOIN bank_import ON bank_import.id = import_id
    ORDER BY bank_line.id`,
  payments: `SELECT match_payment.id, statement_id, subscription_id, kind, paid_on, amount_in_cents, claimed_in_cents, currency, payment_id,
      gateway_transaction_id, memo, customer_name, organization, removed,
      ${postedDaySql('payment', 'match_payment', 'paid_on')} AS posted_on
    FROM (${PAYMENTS}) AS wanted CROSS JOIN match_payment ON match_payment.id = wanted.id ORDER BY match_payment.id`,
  payouts: `SELECT bank_payout.id, name AS account, payout_id, bank_payout.currency, paid_on, stated_in_cents,
      ${PAYOUT_AMOUNT_SQL} AS amount_in_cents
    FROM bank_payout JOIN bank_account ON bank_account.id = account_id WHERE removed = 0 AND paid_on BETWEEN ?1 AND ?2 ORDER BY bank_payout.id`,
  match_items: `SELECT match_group.id AS match, cleared_on, rule, currency, line_id AS line, transaction_id AS "transaction", category,
      allocated_in_cents, match_item.reason,
      iif(ordinal = 0 AND changed_by IS NULL, (SELECT json_extract(value, '$.certificate') FROM json_each(reasons)
        WHERE json_extract(value, '$.certificate') IS NOT NULL), NULL) AS certificate
    FROM match_cleared INDEXED BY match_cleared_on CROSS JOIN match_group ON match_group.id = match_cleared.group_id
      CROSS JOIN match_item ON match_item.group_id = match_group.id
    WHERE cleared_on BETWEEN ?1 AND ?2 ORDER BY match_group.id, ordinal`,
};

type PackTable = keyof typeof tables;
export type EvidencePackCells = (string | number | null)[];

/** Yields the rows of a table of the evidence pack. The first row contains the column names. */
export function readEvidencePackTable(
  books: ReadableDb,
  name: PackTable,
  { first, last }: DayRange,
): Generator<EvidencePackCells> {
  return readCells(books, convertNumberedParameters(tables[name]), [first, last]);
}

/** Yields the transactions of statements as the service sent them, in the order of the statements. The ids come in batches. */
export function* readEvidencePackTransactions(
  cache: ReadableDb,
  statements: Iterable<readonly number[]>,
): Generator<EvidencePackCells> {
  const sql = `SELECT txn.id, statement_id AS statement, subscription_id AS subscription, transaction_type, txn.type AS type, kind, amount_in_cents,
      starting_balance_in_cents, ending_balance_in_cents, success, created_at_text AS created_at, payment_id, gateway_transaction_id,
      memo, product_id
    FROM json_each(?) AS wanted CROSS JOIN txn ON statement_id = wanted.value ORDER BY wanted.key, ordinal`;
  const transactions = prepareSql<(string | number | null)[]>(cache, sql).raw();
  yield transactions.columns().map(({ name }) => name);
  for (const ids of statements) yield* transactions.all(JSON.stringify(ids));
}

function* readCells(db: ReadableDb, sql: string, bound: SqlValues): Generator<EvidencePackCells> {
  const statement = prepareSql<(string | number | null)[]>(db, sql).raw();
  yield statement.columns().map(({ name }) => name);
  yield* statement.iterate(...bound);
}

/** Yields the first `entries` entries of the audit log, one per line, with all fields that the hashes cover. */
export function* readEvidencePackAuditLog(books: ReadableDb, entries: number): Generator<string> {
  for (const entry of readAuditLog(books)) {
    if (entry.seq > entries) return;
    yield `${JSON.stringify(entry)}\n`;
  }
}

/** Saves the result of an evidence pack. Must be called in a transaction. */
export function addEvidencePackResult(
  db: WritableDb,
  { job, period, made_at, result }: { job: string; period: string; made_at: number; result: string },
): void {
  insertRow(db, 'pack', { job, period, made_at, result });
}

/** Returns the saved results of evidence packs, newest first. */
export function listEvidencePackResults(
  db: ReadableDb,
  { job, period }: { job?: string; period?: string | undefined },
): string[] {
  const sql = convertNumberedParameters(
    'SELECT result FROM pack WHERE (?1 IS NULL OR job = ?1) AND (?2 IS NULL OR period = ?2) ORDER BY made_at DESC LIMIT 200',
  );
  return select.values<string>(db, sql, job ?? null, period ?? null);
}
