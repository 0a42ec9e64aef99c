import type { BankLine, BankLineDetail } from '../../../contract/index.ts';
import { createLockedRowCondition } from '../period-lock/period-lock.ts';
import {
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertRow, insertSql } from '../sqlite/write-row.ts';

/** Fields that identify a bank line of an account. Occurrence numbers distinguish lines with equal fields. */
export interface BankLineKey {
  booked_on: string;
  amount_in_cents: number;
  currency: string;
  /** Id that the bank assigned to the line. Empty if there is none. */
  bank_id: string;
  /** Hash of the line's texts. 0 if the line has a bank id. */
  text_hash: number;
}

/** A stored bank line with its key and occurrence number, even if its import was removed. */
export interface StoredBankLine extends BankLineKey {
  id: number;
  occurrence: number;
  removed: boolean;
}

/** Yields every bank line of the account booked in a range of days, sorted by key and occurrence number. */
export function* readStoredBankLines(
  db: ReadableDb,
  account: number,
  days: { first: string; last: string },
): Generator<StoredBankLine> {
  const sql = `SELECT booked_on, amount_in_cents, currency, bank_id, text_hash, id, occurrence, removed
     FROM bank_line INDEXED BY bank_line_identity WHERE account_id = ? AND booked_on BETWEEN ? AND ?
     ORDER BY booked_on, amount_in_cents, currency, bank_id, text_hash, occurrence`;
  const rows = prepareSql<SqlValues>(db, sql)
    .raw()
    .iterate(account, days.first, days.last) as IterableIterator<
    [string, number, string, string, number, number, number, number]
  >;
  for (const [booked_on, amount_in_cents, currency, bank_id, text_hash, id, occurrence, removed] of rows) {
    const key = { booked_on, amount_in_cents, currency, bank_id, text_hash };
    yield { ...key, id, occurrence, removed: removed === 1 };
  }
}

export interface NewBankLine extends BankLineKey {
  account_id: number;
  import_id: number;
  row: number;
  value_on: string | null;
  occurrence: number;
  kind: BankLine['kind'];
  description: string;
  reference: string | null;
  counterparty: string | null;
  payout_id: string | null;
  gateway_transaction_id: string | null;
  fee_in_cents: number | null;
  net_in_cents: number | null;
  location: string;
  /** Additional fields of the line as JSON (`BankLineExtra`). */
  extra_fields: string | null;
}

/** Additional fields of a bank line, stored as JSON because no query searches or compares them. */
export interface BankLineExtra {
  balance_in_cents?: number;
  foreign?: NonNullable<BankLineDetail['foreign']>;
  extra?: Readonly<Record<string, string>>;
}

/** Columns with data from the file that are not part of the line's key. */
export const bankLineFileColumns = [
  ...(['value_on', 'kind', 'description', 'reference', 'counterparty', 'payout_id'] as const),
  ...(['gateway_transaction_id', 'fee_in_cents', 'net_in_cents', 'location', 'extra_fields'] as const),
];
const keyColumns = ['booked_on', 'amount_in_cents', 'currency', 'bank_id', 'text_hash'] as const;
const own = ['row', ...bankLineFileColumns, 'import_id'] as const;
const key = ['account_id', ...keyColumns, 'occurrence'] as const;
const lineColumns = [...own, ...key];

const add = insertSql('bank_line', lineColumns);
const revive = `UPDATE bank_line SET removed = 0, ${own.map((name) => `${name} = ?`).join(', ')}
  WHERE removed = 1 AND ${key.map((name) => `${name} = ?`).join(' AND ')}`;

/** Adds a bank line, or restores a line of a removed import under its earlier id. */
export function saveBankLine(db: WritableDb, line: NewBankLine, isRemoved: boolean): void {
  prepareSql(db, isRemoved ? revive : add).run(...lineColumns.map((name) => line[name]));
}

/** Removes at most `limit` lines of an import and returns their number. No match may contain these lines. */
export function removeBankLinesOfImport(db: WritableDb, id: number, limit: number): number {
  const sql = `UPDATE bank_line SET removed = 1 WHERE id IN (
       SELECT id FROM bank_line INDEXED BY bank_line_import WHERE import_id = ? AND removed = 0 LIMIT ?)`;
  return prepareSql(db, sql).run(id, limit).changes;
}

/** Returns at most `limit` confirmed or proposed matches that contain lines of the import. */
export function listMatchesWithImportedLines(db: ReadableDb, id: number, limit: number): number[] {
  const sql = `SELECT DISTINCT group_id FROM bank_line INDEXED BY bank_line_import
       CROSS JOIN match_item ON line_id = bank_line.id
     WHERE import_id = ? AND removed = 0 AND claim_state > 0 LIMIT ?`;
  return select.values<number>(db, sql, id, limit);
}

export interface NewPayout {
  account_id: number;
  import_id: number;
  payout_id: string;
  currency: string;
  paid_on: string;
  stated_in_cents: number | null;
}

/** Adds or restores a payout from a processor report. A payout of a closed period stays unchanged. */
export function savePayout(db: WritableDb, payout: NewPayout): void {
  const onConflict = `ON CONFLICT (account_id, payout_id, currency) DO UPDATE SET
    import_id = iif(removed, excluded.import_id, import_id), removed = 0,
    paid_on = max(paid_on, excluded.paid_on), stated_in_cents = coalesce(stated_in_cents, excluded.stated_in_cents)
    WHERE removed = 1 OR NOT (${createLockedRowCondition('payout', 'bank_payout', 'paid_on')})`;
  const { account_id, import_id, payout_id, currency, paid_on, stated_in_cents } = payout;
  const row = { account_id, import_id, payout_id, currency, paid_on, stated_in_cents };
  insertRow(db, 'bank_payout', row, onConflict);
}

/** Marks payouts as removed if all of their lines were removed, except payouts of closed periods. */
export function removeEmptyPayouts(db: WritableDb, account: number): void {
  const sql = `UPDATE bank_payout SET removed = 1 WHERE account_id = ? AND removed = 0 AND NOT EXISTS (
       SELECT 1 FROM bank_line WHERE bank_line.account_id = bank_payout.account_id
         AND bank_line.payout_id = bank_payout.payout_id AND bank_line.removed = 0)
       AND NOT (${createLockedRowCondition('payout', 'bank_payout', 'paid_on')})`;
  prepareSql(db, sql).run(account);
}
