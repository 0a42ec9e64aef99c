import type { RowVerdict } from '../../../contract/index.ts';
import { connect, prepared, type ReadableDb, type Values, type WritableDb } from '../sqlite/connection.ts';
import { type LineKey, type NewLine, toldColumns } from './bank-line.ts';

/** A line of a file before it is compared with the stored lines. */
export interface PlannedLine extends Omit<NewLine, 'account_id' | 'import_id' | 'occurrence'> {
  /** Index of its statement in the file. */
  statement: number;
}

/** A row of a file that is no line. */
export interface UnreadRow {
  row: number;
  verdict: 'failed' | 'skipped';
  location: string;
  reason: string;
  raw: string;
}

/** What happens to a line. */
export interface Fate {
  row: number;
  verdict: Exclude<RowVerdict, 'failed'>;
  /** The stored line, for a duplicate. */
  stored: number | null;
  /** For a new line: its number among the lines with the same key. */
  occurrence: number;
  /** True if a line of a removed import is restored. */
  isBack: boolean;
}

/** A line of a file with its key. */
export interface FileLine extends LineKey {
  row: number;
}

const columns = [
  'row',
  'statement',
  'booked_on',
  'amount_in_cents',
  'currency',
  'bank_id',
  'words',
  ...toldColumns,
] as const satisfies readonly (keyof PlannedLine)[];
const key = 'booked_on, amount_in_cents, currency, bank_id, words, row';

const tables = `
  CREATE TABLE line (
    row INTEGER PRIMARY KEY, statement INTEGER NOT NULL, booked_on TEXT NOT NULL, amount_in_cents INTEGER NOT NULL,
    currency TEXT NOT NULL, bank_id TEXT NOT NULL, words INTEGER NOT NULL, value_on TEXT, kind TEXT NOT NULL,
    description TEXT NOT NULL, reference TEXT, counterparty TEXT, payout_id TEXT, gateway_transaction_id TEXT,
    fee_in_cents INTEGER, net_in_cents INTEGER, location TEXT NOT NULL, more TEXT) STRICT;
  CREATE TABLE unread (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, location TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL) STRICT;
  CREATE TABLE remark (row INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE INDEX remark_row ON remark (row);
  -- Of lines that are not simply new, the first of their key.
  CREATE TABLE fate (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, stored INTEGER, occurrence INTEGER NOT NULL, is_back INTEGER NOT NULL) STRICT;
  CREATE INDEX fate_verdict ON fate (verdict);
  -- Numbered lines of the account that stand, while it is found out which days go on.
  CREATE TABLE standing (
    booked_on TEXT NOT NULL, amount_in_cents INTEGER NOT NULL, currency TEXT NOT NULL, words INTEGER NOT NULL) STRICT;`;

/**
 * Opens a temporary database for the rows of a file, to be filled until `endFilling`. It has no name: SQLite deletes its
 * file with the connection or the process, however that ends.
 */
export function openPlanStore(): WritableDb {
  const db = connect('') as WritableDb;
  db.pragma('journal_mode = OFF');
  db.pragma('cache_size = -8000');
  db.exec(tables);
  db.exec('BEGIN');
  return db;
}

const addLine = `INSERT INTO line (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

export function addPlannedLine(db: WritableDb, line: PlannedLine): void {
  prepared(db, addLine).run(
    line.row,
    line.statement,
    line.booked_on,
    line.amount_in_cents,
    line.currency,
    line.bank_id,
    line.words,
    line.value_on,
    line.kind,
    line.description,
    line.reference,
    line.counterparty,
    line.payout_id,
    line.gateway_transaction_id,
    line.fee_in_cents,
    line.net_in_cents,
    line.location,
    line.more,
  );
}

export function addUnread(db: WritableDb, { row, verdict, location, reason, raw }: UnreadRow): void {
  prepared(db, 'INSERT INTO unread VALUES (?, ?, ?, ?, ?)').run(row, verdict, location, reason, raw);
}

/** Adds a remark about a line. */
export function addRemark(db: WritableDb, row: number, reason: string): void {
  prepared(db, 'INSERT INTO remark VALUES (?, ?)').run(row, reason);
}

/** Must be called after all rows are added. Sorts the lines by key. */
export function endFilling(db: WritableDb): void {
  db.exec(`CREATE INDEX line_key ON line (${key}, statement); COMMIT`);
}

/** Releases memory used for filling and comparing. Reading needs little. */
export function shrink(db: WritableDb): void {
  db.pragma('cache_size = -1000');
  db.pragma('shrink_memory');
}

/** Returns the first and last date of its lines, or null if there are none. */
export function daysOfLines(db: ReadableDb): { first: string; last: string } | null {
  const { first, last } = prepared<{ first: string | null; last: string }>(
    db,
    'SELECT (SELECT min(booked_on) FROM line) AS first, (SELECT max(booked_on) FROM line) AS last',
  ).get()!;
  return first === null ? null : { first, last };
}

/** Number of lines read per batch. */
const BATCH = 2000;

/**
 * Yields lines by key, equal keys in the order of the file, except those of some statements. Continues correctly after
 * writes in between.
 */
export function* linesByKey(db: ReadableDb, except: readonly number[]): Generator<FileLine> {
  let after: Values = ['', 0, '', '', 0, 0];
  for (;;) {
    const rows = prepared<[string, number, string, string, number, number]>(
      db,
      `SELECT ${key} FROM line INDEXED BY line_key
       WHERE (${key}) > (?, ?, ?, ?, ?, ?) AND statement NOT IN (SELECT value FROM json_each(?))
       ORDER BY ${key} LIMIT ?`,
    )
      .raw()
      .all(...after, JSON.stringify(except), BATCH);
    for (const [booked_on, amount_in_cents, currency, bank_id, words, row] of rows) {
      yield { booked_on, amount_in_cents, currency, bank_id, words, row };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last;
  }
}

/** Records what happens to a line that is not simply new. */
export function setFate(db: WritableDb, { row, verdict, stored, occurrence, isBack }: Fate): void {
  prepared(db, 'INSERT INTO fate VALUES (?, ?, ?, ?, ?)').run(
    row,
    verdict,
    stored,
    occurrence,
    isBack ? 1 : 0,
  );
}

/** Skips the lines of some statements. Returns their number. */
export function skipStatements(db: WritableDb, statements: readonly number[]): number {
  return prepared(
    db,
    `INSERT INTO fate SELECT row, 'skipped', NULL, 1, 0 FROM line WHERE statement IN (SELECT value FROM json_each(?))`,
  ).run(JSON.stringify(statements)).changes;
}

// ---- Days that continue

/** SQL condition equivalent to `hasNumber`. */
const NUMBERED = 'words % 2 = 1';
/** Lines of the file whose number occurs in no other line. */
const telling = `SELECT row, booked_on, amount_in_cents, currency, words FROM line INDEXED BY line_words
  WHERE ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?)) GROUP BY words HAVING count(*) = 1`;

/**
 * Returns the days on which both the file and the account (its existing `numbered` lines) have lines with unique numbers
 * but none in common.
 */
export function daysContinued(
  db: WritableDb,
  numbered: Iterable<LineKey>,
  except: readonly number[],
): Set<string> {
  prepared(db, 'DELETE FROM standing').run();
  const add = prepared(db, 'INSERT INTO standing VALUES (?, ?, ?, ?)');
  for (const { booked_on, amount_in_cents, currency, words } of numbered) {
    add.run(booked_on, amount_in_cents, currency, words);
  }
  if (prepared(db, 'SELECT 1 FROM standing').get() === undefined) return new Set();
  db.exec(`CREATE INDEX IF NOT EXISTS line_words ON line (words) WHERE ${NUMBERED};
    CREATE INDEX IF NOT EXISTS standing_words ON standing (words, booked_on, amount_in_cents, currency)`);
  const days = prepared<string>(
    db,
    `SELECT booked_on FROM (
       SELECT booked_on, EXISTS (
         SELECT 1 FROM standing WHERE standing.words = own.words AND standing.booked_on = own.booked_on
           AND standing.amount_in_cents = own.amount_in_cents AND standing.currency = own.currency) AS is_held
       FROM (${telling}) AS own)
     WHERE booked_on IN (SELECT booked_on FROM standing GROUP BY words HAVING count(*) = 1)
     GROUP BY booked_on HAVING max(is_held) = 0`,
  )
    .pluck()
    .all(JSON.stringify(except));
  return new Set(days);
}

/**
 * Returns the number of lines with this text hash, except those of some statements. The text contains a number, and
 * `daysContinued` was called.
 */
export function countWords(db: ReadableDb, words: number, except: readonly number[]): number {
  return prepared<number>(
    db,
    `SELECT count(*) FROM line INDEXED BY line_words
     WHERE words = ? AND ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?))`,
  )
    .pluck()
    .get(words, JSON.stringify(except))!;
}
