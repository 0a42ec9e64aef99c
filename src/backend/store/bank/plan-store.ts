import type { RowVerdict } from '../../../contract/index.ts';
import { connect, prepared, type ReadableDb, type Values, type WritableDb } from '../database.ts';
import { type LineKey, type NewLine, toldColumns } from './bank-line.ts';

/** A line of a file, before anybody knows what becomes of it. */
export interface PlannedLine extends Omit<NewLine, 'account_id' | 'import_id' | 'occurrence'> {
  /** Its place among the statements of the file. */
  statement: number;
}

/** A row of a file that is no line. */
export interface UnreadRow {
  row: number;
  verdict: 'failed' | 'skipped';
  place: string;
  reason: string;
  raw: string;
}

/** What becomes of a line. */
export interface Fate {
  row: number;
  verdict: Exclude<RowVerdict, 'failed'>;
  /** The line that is held already, of a duplicate. */
  held: number | null;
  /** The number among lines of its key, of a new one. */
  occurrence: number;
  /** Whether a line of a removed import comes back. */
  isBack: boolean;
}

/** A line by what tells it from others. */
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
    fee_in_cents INTEGER, net_in_cents INTEGER, place TEXT NOT NULL, more TEXT) STRICT;
  CREATE TABLE unread (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, place TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL) STRICT;
  CREATE TABLE remark (row INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE INDEX remark_row ON remark (row);
  -- Of lines that are not simply new, the first of their key.
  CREATE TABLE fate (
    row INTEGER PRIMARY KEY, verdict TEXT NOT NULL, held INTEGER, occurrence INTEGER NOT NULL, is_back INTEGER NOT NULL) STRICT;
  CREATE INDEX fate_verdict ON fate (verdict);
  -- Numbered lines of the account that stand, while it is found out which days go on.
  CREATE TABLE standing (
    booked_on TEXT NOT NULL, amount_in_cents INTEGER NOT NULL, currency TEXT NOT NULL, words INTEGER NOT NULL) STRICT;`;

/**
 * A place on disk for the rows of a file that may be imported, to be filled until `endFilling`. It has no name: SQLite keeps it in a
 * file that goes with the connection, or with the process, however that ends.
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
    line.place,
    line.more,
  );
}

export function addUnread(db: WritableDb, { row, verdict, place, reason, raw }: UnreadRow): void {
  prepared(db, 'INSERT INTO unread VALUES (?, ?, ?, ?, ?)').run(row, verdict, place, reason, raw);
}

/** Something to look at in a line. */
export function addRemark(db: WritableDb, row: number, reason: string): void {
  prepared(db, 'INSERT INTO remark VALUES (?, ?)').run(row, reason);
}

/** To be called once all rows are there: brings the lines into the order of their keys. */
export function endFilling(db: WritableDb): void {
  db.exec(`CREATE INDEX line_key ON line (${key}, statement); COMMIT`);
}

/** Gives back the room that filling and judging took: to be read on it needs little. */
export function shrink(db: WritableDb): void {
  db.pragma('cache_size = -1000');
  db.pragma('shrink_memory');
}

/** The days of its lines; null for none. */
export function daysOfLines(db: ReadableDb): { first: string; last: string } | null {
  const { first, last } = prepared<{ first: string | null; last: string }>(
    db,
    'SELECT (SELECT min(booked_on) FROM line) AS first, (SELECT max(booked_on) FROM line) AS last',
  ).get()!;
  return first === null ? null : { first, last };
}

/** Lines read together. */
const BATCH = 2000;

/** Lines in the order of their keys, twins in that of the file, but for those of some statements. Written to meanwhile, it goes on. */
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

/** Says what becomes of a line that is not simply new, the first of its key. */
export function setFate(db: WritableDb, { row, verdict, held, occurrence, isBack }: Fate): void {
  prepared(db, 'INSERT INTO fate VALUES (?, ?, ?, ?, ?)').run(row, verdict, held, occurrence, isBack ? 1 : 0);
}

/** Leaves out the lines of some statements; gives how many. */
export function skipStatements(db: WritableDb, statements: readonly number[]): number {
  return prepared(
    db,
    `INSERT INTO fate SELECT row, 'skipped', NULL, 1, 0 FROM line WHERE statement IN (SELECT value FROM json_each(?))`,
  ).run(JSON.stringify(statements)).changes;
}

// ---- Which days go on

/** As `hasNumber` tells it. */
const NUMBERED = 'words % 2 = 1';
/** Numbered lines of the file that are like no other. */
const telling = `SELECT row, booked_on, amount_in_cents, currency, words FROM line INDEXED BY line_words
  WHERE ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?)) GROUP BY words HAVING count(*) = 1`;

/** Days on which both the file and the account (its `numbered` lines that stand) have lines with a number like no other's, and share none. */
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

/** How many lines have these words, but for those of some statements. The words hold a number, and days were looked for that go on. */
export function countWords(db: ReadableDb, words: number, except: readonly number[]): number {
  return prepared<number>(
    db,
    `SELECT count(*) FROM line INDEXED BY line_words
     WHERE words = ? AND ${NUMBERED} AND statement NOT IN (SELECT value FROM json_each(?))`,
  )
    .pluck()
    .get(words, JSON.stringify(except))!;
}
