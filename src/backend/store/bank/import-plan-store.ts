import type { ImportRowResult } from '../../../contract/index.ts';
import {
  openSqlite,
  prepareSql,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { insertSql } from '../sqlite/write-row.ts';
import { type BankLineKey, bankLineFileColumns, type NewBankLine } from './bank-line.ts';

/** A bank line from a file, before its comparison with the stored lines. */
export interface PlannedBankLine extends Omit<NewBankLine, 'account_id' | 'import_id' | 'occurrence'> {
  /** Index of the line's bank statement within the file. */
  statement: number;
}

/** A file row that yields no bank line. */
export interface SkippedFileRow {
  row: number;
  verdict: 'failed' | 'skipped';
  location: string;
  reason: string;
  raw: string;
}

/** Planned treatment of a bank line: add the line, skip it as a duplicate, or skip its statement. */
export interface BankLineVerdict {
  row: number;
  verdict: Exclude<ImportRowResult, 'failed'>;
  /** Id of the stored line that the row duplicates. */
  stored: number | null;
  /** Occurrence number of a new line among the lines with the same key. */
  occurrence: number;
  /** True if the line restores a stored line of a removed import. */
  isRestored: boolean;
}

/** A bank line of a file, reduced to its row number and key. */
export type BankFileLine = BankLineKey & { row: number };

const columns = [
  ...(['row', 'statement', 'booked_on', 'amount_in_cents', 'currency', 'bank_id', 'text_hash'] as const),
  ...bankLineFileColumns,
];
const key = 'booked_on, amount_in_cents, currency, bank_id, text_hash, row';

const tables = `
  CREATE TABLE line (
    row INTEGER PRIMARY KEY, statement INTEGER NOT NULL, booked_on TEXT NOT NULL, amount_in_cents INTEGER NOT NULL,
    currency TEXT NOT NULL, bank_id TEXT NOT NULL, text_hash INTEGER NOT NULL, value_on TEXT, kind TEXT NOT NULL,
    description TEXT NOT NULL, reference TEXT, counterparty TEXT, payout_id TEXT, gateway_transaction_id TEXT,
    fee_in_cents INTEGER, net_in_cents INTEGER, location TEXT NOT NULL, extra_fields TEXT) STRICT;
  CREATE TABLE unread (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, location TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL) STRICT;
  CREATE TABLE remark (row INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE INDEX remark_row ON remark (row);
  -- Of lines that are not simply new, the first of their key.
  CREATE TABLE fate (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, stored INTEGER, occurrence INTEGER NOT NULL, is_back INTEGER NOT NULL) STRICT;
  CREATE INDEX fate_verdict ON fate (verdict);
  -- Numbered lines of the account that stand, while it is found out which days go on.
  CREATE TABLE existing_line (
    booked_on TEXT NOT NULL, amount_in_cents INTEGER NOT NULL, currency TEXT NOT NULL, text_hash INTEGER NOT NULL) STRICT;`;

/** Opens a temporary database for the rows of an import file. SQLite deletes it when the connection closes. */
export function openImportPlanStore(): WritableDb {
  const db = openSqlite('') as WritableDb;
  db.pragma('journal_mode = OFF');
  db.pragma('cache_size = -8000');
  db.exec(tables);
  db.exec('BEGIN');
  return db;
}

const addLine = insertSql('line', columns);

export function addPlannedBankLine(db: WritableDb, line: PlannedBankLine): void {
  prepareSql(db, addLine).run(...columns.map((name) => line[name]));
}

export function addSkippedFileRow(
  db: WritableDb,
  { row, verdict, location, reason, raw }: SkippedFileRow,
): void {
  prepareSql(db, 'INSERT INTO unread VALUES (?, ?, ?, ?, ?)').run(row, verdict, location, reason, raw);
}

export function addBankLineRemark(db: WritableDb, row: number, reason: string): void {
  prepareSql(db, 'INSERT INTO remark VALUES (?, ?)').run(row, reason);
}

/** Sorts the lines by key. Must be called after all rows have been added. */
export function finishImportPlanStore(db: WritableDb): void {
  db.exec(`CREATE INDEX line_key ON line (${key}, statement); COMMIT`);
}

/** Frees the memory used for adding and comparing rows. */
export function releaseImportPlanMemory(db: WritableDb): void {
  db.pragma('cache_size = -1000');
  db.pragma('shrink_memory');
}

/** Returns the first and last booking date of the planned lines, or null if there are none. */
export function findPlannedDateRange(db: ReadableDb): { first: string; last: string } | null {
  const sql = 'SELECT (SELECT min(booked_on) FROM line) AS first, (SELECT max(booked_on) FROM line) AS last';
  const { first, last } = select.row<{ first: string | null; last: string }>(db, sql)!;
  return first === null ? null : { first, last };
}

const BATCH = 2000;

/** Yields planned lines by key, then in file order. Omits excluded statements. The caller may write between lines. */
export function* readPlannedLinesByKey(db: ReadableDb, except: readonly number[]): Generator<BankFileLine> {
  let after: SqlValues = ['', 0, '', '', 0, 0];
  for (;;) {
    const sql = `SELECT ${key} FROM line INDEXED BY line_key
       WHERE (${key}) > (?, ?, ?, ?, ?, ?) AND statement NOT IN (SELECT value FROM json_each(?))
       ORDER BY ${key} LIMIT ?`;
    const rows = prepareSql<[string, number, string, string, number, number]>(db, sql)
      .raw()
      .all(...after, JSON.stringify(except), BATCH);
    for (const [booked_on, amount_in_cents, currency, bank_id, text_hash, row] of rows) {
      yield { booked_on, amount_in_cents, currency, bank_id, text_hash, row };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last;
  }
}

/** Saves the verdict on a line, unless the line is an ordinary new line. */
export function saveBankLineVerdict(db: WritableDb, verdict: BankLineVerdict): void {
  const { row, stored, occurrence, isRestored } = verdict;
  const sql = 'INSERT INTO fate VALUES (?, ?, ?, ?, ?)';
  prepareSql(db, sql).run(row, verdict.verdict, stored, occurrence, Number(isRestored));
}

/** Marks the lines of excluded bank statements as skipped. Returns the number of these lines. */
export function skipFileStatements(db: WritableDb, statements: readonly number[]): number {
  const sql = `INSERT INTO fate SELECT row, 'skipped', NULL, 1, 0 FROM line WHERE statement IN (SELECT value FROM json_each(?))`;
  return prepareSql(db, sql).run(JSON.stringify(statements)).changes;
}

/** SQL condition for lines with a number in their text (see `doesHashedTextContainNumber`). */
const NUMBERED = 'text_hash % 2 = 1';
/** SQL for the file's lines with a number in their text that occur only once. */
const UNIQUE_NUMBERED_LINES = `SELECT row, booked_on, amount_in_cents, currency, text_hash FROM line INDEXED BY line_text_hash
  WHERE ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?)) GROUP BY text_hash HAVING count(*) = 1`;

/**
 * Returns the days on which the file and the account have uniquely numbered lines, but none in common. Equal lines on
 * these days are then new.
 */
export function findContinuationDays(
  db: WritableDb,
  numbered: Iterable<BankLineKey>,
  except: readonly number[],
): Set<string> {
  prepareSql(db, 'DELETE FROM existing_line').run();
  const add = prepareSql(db, 'INSERT INTO existing_line VALUES (?, ?, ?, ?)');
  for (const { booked_on, amount_in_cents, currency, text_hash } of numbered) {
    add.run(booked_on, amount_in_cents, currency, text_hash);
  }
  if (prepareSql(db, 'SELECT 1 FROM existing_line').get() === undefined) return new Set();
  db.exec(`CREATE INDEX IF NOT EXISTS line_text_hash ON line (text_hash) WHERE ${NUMBERED};
    CREATE INDEX IF NOT EXISTS existing_line_text ON existing_line (text_hash, booked_on, amount_in_cents, currency)`);
  const sql = `SELECT booked_on FROM (
       SELECT booked_on, EXISTS (
         SELECT 1 FROM existing_line WHERE existing_line.text_hash = own.text_hash AND existing_line.booked_on = own.booked_on
           AND existing_line.amount_in_cents = own.amount_in_cents AND existing_line.currency = own.currency) AS is_held
       FROM (${UNIQUE_NUMBERED_LINES}) AS own)
     WHERE booked_on IN (SELECT booked_on FROM existing_line GROUP BY text_hash HAVING count(*) = 1)
     GROUP BY booked_on HAVING max(is_held) = 0`;
  const days = select.values<string>(db, sql, JSON.stringify(except));
  return new Set(days);
}

/** Counts the file's lines with this text hash. Must be called after `findContinuationDays`. */
export function countLinesByTextHash(db: ReadableDb, text_hash: number, except: readonly number[]): number {
  const sql = `SELECT count(*) FROM line INDEXED BY line_text_hash
     WHERE text_hash = ? AND ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?))`;
  return select.value<number>(db, sql, text_hash, JSON.stringify(except))!;
}
