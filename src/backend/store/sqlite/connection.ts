import Sqlite from 'better-sqlite3';

declare const access: unique symbol;

/** A connection for reading. A `WritableDb` may also write. The types prevent queries from writing. */
export type ReadableDb = Sqlite.Database & { readonly [access]: 'read' | 'write' };
export type WritableDb = Sqlite.Database & { readonly [access]: 'write' };

/** Values that SQLite stores and accepts. */
export type Value = string | number | bigint | Buffer | null;

/** A row in raw mode, or bound values: in the order of the columns. */
export type Values = Value[];

/**
 * Parameter for an integer. Numbers are bound as floats, which makes no difference for column comparisons. But FTS5 seeks
 * to a rowid only for an integer, and otherwise scans.
 */
export const integer = 'CAST(? AS INTEGER)';

export const SqliteError = Sqlite.SqliteError;

/** Opens a SQLite file. The cache and the books are opened with `openStore`. */
export function connect(path: string, options?: Sqlite.Options): Sqlite.Database {
  return new Sqlite(path, options);
}

const statements = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement<Values, unknown>>>();

/** Returns the prepared statement of this text on this connection, compiled once. The text must consist of constants. */
export function prepared<Row>(db: ReadableDb, sql: string): Sqlite.Statement<Values, Row> {
  let known = statements.get(db);
  if (known === undefined) {
    known = new Map();
    statements.set(db, known);
  }
  let statement = known.get(sql);
  if (statement === undefined) {
    statement = db.prepare<Values, unknown>(sql);
    known.set(sql, statement);
  }
  return statement as Sqlite.Statement<Values, Row>;
}

/** Runs `work` in a transaction. Inside another commit, it becomes part of that transaction. */
export function commit<Result>(db: WritableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).immediate();
}

/** Runs `work` with a different page cache size in KiB. */
export async function withPages<Result>(
  db: ReadableDb,
  kib: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Number(db.pragma('cache_size', { simple: true }));
  db.pragma(`cache_size = -${kib}`);
  try {
    return await work();
  } finally {
    if (db.open) db.pragma(`cache_size = ${before}`);
  }
}

/** Starts a read transaction: the connection sees the file in its current state until it is closed. */
export function beginReading(db: ReadableDb): void {
  prepared(db, 'BEGIN').run();
  // A read transaction starts with its first read.
  prepared(db, 'SELECT 1 FROM sqlite_schema LIMIT 1').get();
}

/** Runs several reads in one read transaction, so that they see the same state. */
export function snapshot<Result>(db: ReadableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).deferred();
}
