import Sqlite from 'better-sqlite3';

declare const access: unique symbol;

/** A connection for reading. A `WritableDb` may also write. The types prevent queries from writing. */
export type ReadableDb = Sqlite.Database & { readonly [access]: 'read' | 'write' };
export type WritableDb = Sqlite.Database & { readonly [access]: 'write' };

/** Values that SQLite stores and accepts. */
export type SqlValue = string | number | bigint | Buffer | null;

/** A row in raw mode, or bound values: in the order of the columns. */
export type SqlValues = SqlValue[];

/** Integer parameter. FTS5 seeks to a rowid only for an integer, but numbers are bound as floats. */
export const INTEGER_PARAMETER = 'CAST(? AS INTEGER)';

export const SqliteError = Sqlite.SqliteError;

/** Opens a SQLite file. The cache and the books are opened with `openStore`. */
export function connect(path: string, options?: Sqlite.Options): Sqlite.Database {
  return new Sqlite(path, options);
}

const statements = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement<SqlValues, unknown>>>();

/** Returns the prepared statement of this text on this connection, compiled once. The text must consist of constants. */
export function prepare<Row>(db: ReadableDb, sql: string): Sqlite.Statement<SqlValues, Row> {
  let cached = statements.get(db);
  if (cached === undefined) {
    cached = new Map();
    statements.set(db, cached);
  }
  let statement = cached.get(sql);
  if (statement === undefined) {
    statement = db.prepare<SqlValues, unknown>(sql);
    cached.set(sql, statement);
  }
  return statement as Sqlite.Statement<SqlValues, Row>;
}

/** Runs queries, each compiled once per connection. The text must consist of constants. */
export const select = {
  /** Returns the first row, or null. */
  row: <Row>(db: ReadableDb, sql: string, ...bound: SqlValues): Row | null =>
    prepare<Row>(db, sql).get(...bound) ?? null,
  /** Returns all rows. */
  rows: <Row>(db: ReadableDb, sql: string, ...bound: SqlValues): Row[] => prepare<Row>(db, sql).all(...bound),
  /** Returns the first column of the first row, or null. */
  value: <Result>(db: ReadableDb, sql: string, ...bound: SqlValues): Result | null =>
    prepare<Result>(db, sql)
      .pluck()
      .get(...bound) ?? null,
  /** Returns the first column of all rows. */
  values: <Result>(db: ReadableDb, sql: string, ...bound: SqlValues): Result[] =>
    prepare<Result>(db, sql)
      .pluck()
      .all(...bound),
};

/** Runs `work` in a transaction. Inside another commit, it becomes part of that transaction. */
export function inTransaction<Result>(db: WritableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).immediate();
}

/** Runs `work` with a different page cache size in KiB. */
export async function withPageCacheSize<Result>(
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
export function beginReadTransaction(db: ReadableDb): void {
  prepare(db, 'BEGIN').run();
  // A read transaction starts with its first read.
  prepare(db, 'SELECT 1 FROM sqlite_schema LIMIT 1').get();
}

/** Runs several reads in one read transaction, so that they see the same state. */
export function readSnapshot<Result>(db: ReadableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).deferred();
}
