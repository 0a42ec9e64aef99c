import type { RowVerdict } from '../../../contract/index.ts';
import {
  connect,
  prepare,
  type ReadableDb,
  type SqlValues,
  select,
  type WritableDb,
} from '../sqlite/connection.ts';
import { createInsert } from '../sqlite/write-row.ts';
import { type BankLineKey, fileColumns, type NewBankLine } from './bank-line.ts';

/** A line of a file before it is compared with the stored lines. */
export interface PlannedLine extends Omit<NewBankLine, 'account_id' | 'import_id' | 'occurrence'> {
  /** Index of its statement in the file. */
  statement: number;
}

/** A row of a file that is no line. */
export interface SkippedFileRow {
  row: number;
  verdict: 'failed' | 'skipped';
  location: string;
  reason: string;
  raw: string;
}

/** Planned treatment of a line: added, skipped as a duplicate, or skipped. */
export interface LineVerdict {
  row: number;
  verdict: Exclude<RowVerdict, 'failed'>;
  /** Id of the stored line that a duplicate row repeats. */
  stored: number | null;
  /** For a new line: its number among the lines with the same key. */
  occurrence: number;
  /** True if a line of a removed import is restored. */
  isBack: boolean;
}

/** A line of a file with its key. */
export type FileLine = BankLineKey & { row: number };

const columns = [
  ...(['row', 'statement', 'booked_on', 'amount_in_cents', 'currency', 'bank_id', 'text_hash'] as const),
  ...fileColumns,
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

/** Opens a temporary database for the rows of a file. SQLite deletes it when the connection closes. */
export function openPlanStore(): WritableDb {
  const db = connect('') as WritableDb;
  db.pragma('journal_mode = OFF');
  db.pragma('cache_size = -8000');
  db.exec(tables);
  db.exec('BEGIN');
  return db;
}

const addLine = createInsert('line', columns);

export function addPlannedLine(db: WritableDb, line: PlannedLine): void {
  prepare(db, addLine).run(...columns.map((name) => line[name]));
}

export function addSkippedRow(db: WritableDb, { row, verdict, location, reason, raw }: SkippedFileRow): void {
  prepare(db, 'INSERT INTO unread VALUES (?, ?, ?, ?, ?)').run(row, verdict, location, reason, raw);
}

/** Adds a remark about a line. */
export function addRemark(db: WritableDb, row: number, reason: string): void {
  prepare(db, 'INSERT INTO remark VALUES (?, ?)').run(row, reason);
}

/** Must be called after all rows are added. Sorts the lines by key. */
export function finishPlanStore(db: WritableDb): void {
  db.exec(`CREATE INDEX line_key ON line (${key}, statement); COMMIT`);
}

/** Releases the memory used while rows were added and compared. */
export function releaseMemory(db: WritableDb): void {
  db.pragma('cache_size = -1000');
  db.pragma('shrink_memory');
}

/** Returns the first and last date of its lines, or null if there are none. */
export function findLineDays(db: ReadableDb): { first: string; last: string } | null {
  const sql = 'SELECT (SELECT min(booked_on) FROM line) AS first, (SELECT max(booked_on) FROM line) AS last';
  const { first, last } = select.row<{ first: string | null; last: string }>(db, sql)!;
  return first === null ? null : { first, last };
}

/** Number of lines read per batch. */
const BATCH = 2000;

/** Yields lines by key in file order, except those of excluded statements. Allows writes between lines. */
export function* readLinesByKey(db: ReadableDb, except: readonly number[]): Generator<FileLine> {
  let after: SqlValues = ['', 0, '', '', 0, 0];
  for (;;) {
    const sql = `SELECT ${key} FROM line INDEXED BY line_key
       WHERE (${key}) > (?, ?, ?, ?, ?, ?) AND statement NOT IN (SELECT value FROM json_each(?))
       ORDER BY ${key} LIMIT ?`;
    const rows = prepare<[string, number, string, string, number, number]>(db, sql)
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

/** Saves the verdict on a line that is not simply new. */
export function saveLineVerdict(db: WritableDb, verdict: LineVerdict): void {
  const { row, stored, occurrence, isBack } = verdict;
  const sql = 'INSERT INTO fate VALUES (?, ?, ?, ?, ?)';
  prepare(db, sql).run(row, verdict.verdict, stored, occurrence, Number(isBack));
}

/** Skips the lines of the excluded statements. Returns the number of skipped lines. */
export function skipStatements(db: WritableDb, statements: readonly number[]): number {
  const sql = `INSERT INTO fate SELECT row, 'skipped', NULL, 1, 0 FROM line WHERE statement IN (SELECT value FROM json_each(?))`;
  return prepare(db, sql).run(JSON.stringify(statements)).changes;
}

// ---- Days that continue

/** SQL condition for lines whose text contains a number, as in `hashContainsNumber`. */
const NUMBERED = 'text_hash % 2 = 1';
/** Lines of the file whose number occurs in no other line. */
const UNIQUE_NUMBERED_LINES = `SELECT row, booked_on, amount_in_cents, currency, text_hash FROM line INDEXED BY line_text_hash
  WHERE ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?)) GROUP BY text_hash HAVING count(*) = 1`;

/** Returns the days on which both file and account have uniquely numbered lines, but none in common. */
export function findContinuedDays(
  db: WritableDb,
  numbered: Iterable<BankLineKey>,
  except: readonly number[],
): Set<string> {
  prepare(db, 'DELETE FROM existing_line').run();
  const add = prepare(db, 'INSERT INTO existing_line VALUES (?, ?, ?, ?)');
  for (const { booked_on, amount_in_cents, currency, text_hash } of numbered) {
    add.run(booked_on, amount_in_cents, currency, text_hash);
  }
  if (prepare(db, 'SELECT 1 FROM existing_line').get() === undefined) return new Set();
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

/** Counts the lines with this hash of a text with a number. Requires `findContinuedDays` first. */
export function countLinesWithText(db: ReadableDb, text_hash: number, except: readonly number[]): number {
  const sql = `SELECT count(*) FROM line INDEXED BY line_text_hash
     WHERE text_hash = ? AND ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?))`;
  return select.value<number>(db, sql, text_hash, JSON.stringify(except))!;
}
