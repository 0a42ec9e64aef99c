import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** A stored bank statement with a closing balance. `import_id` and `lines_in_cents` are null if a person entered it. */
export interface StoredBankStatement {
  id: number;
  account_id: number;
  account_name: string;
  import_id: number | null;
  number: string | null;
  currency: string;
  from_on: string;
  to_on: string;
  opening_in_cents: number | null;
  closing_in_cents: number;
  lines_in_cents: number | null;
  location: string;
  file: string;
  sha256: string;
  bytes: number;
  /** Time of storing, in UTC milliseconds. */
  at: number;
  user: string;
}

export type NewBankStatement = Omit<StoredBankStatement, 'id' | 'account_name'>;

export const addBankStatement = (db: WritableDb, statement: NewBankStatement): number =>
  insertRow(db, 'bank_statement', statement);

const STATEMENTS = `SELECT bank_statement.id, account_id, name AS account_name, import_id, bank_statement.number,
    bank_statement.currency, from_on, to_on, opening_in_cents, closing_in_cents, lines_in_cents, location, file, sha256, bytes, at, user
  FROM bank_statement JOIN bank_account ON bank_account.id = account_id WHERE removed_at IS NULL`;

/** Returns the bank statements of an account, or of all accounts, by account and last day. */
export const listStoredBankStatements = (db: ReadableDb, account: number | null): StoredBankStatement[] =>
  select.rows<StoredBankStatement>(
    db,
    `${STATEMENTS} AND (? IS NULL OR account_id = ?) ORDER BY account_id, to_on, bank_statement.id`,
    account,
    account,
  );

export const findBankStatement = (db: ReadableDb, id: number): StoredBankStatement | null =>
  select.row<StoredBankStatement>(db, `${STATEMENTS} AND bank_statement.id = ?`, id);

/** Marks the statements of an import, or one entered statement, as removed. */
export function markBankStatementsRemoved(
  db: WritableDb,
  column: 'id' | 'import_id',
  value: number,
  { at, by, reason }: { at: number; by: string; reason: string },
): void {
  const sql = `UPDATE bank_statement SET removed_at = ?, removed_by = ?, removed_reason = ? WHERE ${column} = ? AND removed_at IS NULL`;
  prepareSql(db, sql).run(at, by, reason, value);
}

/** Returns the balance at the end of the latest day that the account's bank statements cover, or null. */
export function findLatestStatedBalance(
  db: ReadableDb,
  account: number,
): { amount_in_cents: number; currency: string; on: string } | null {
  const sql = `SELECT closing_in_cents AS amount_in_cents, currency, to_on AS "on" FROM bank_statement
    WHERE account_id = ? AND removed_at IS NULL ORDER BY to_on DESC, id DESC LIMIT 1`;
  return select.row(db, sql, account);
}
