import Sqlite from 'better-sqlite3';

declare const access: unique symbol;

/** A connection for reading. The type lets functions also accept `WritableDb`, but prevents them from writing. */
export type ReadableDb = Sqlite.Database & { readonly [access]: 'read' | 'write' };
export type WritableDb = Sqlite.Database & { readonly [access]: 'write' };

/** Values that SQLite can store. */
export type SqlValue = string | number | bigint | Buffer | null;

/** Values of a row in raw mode, or bound parameters, in column order. */
export type SqlValues = SqlValue[];

/** SQL parameter for an integer. FTS5 seeks to a rowid only for integers, but the driver binds numbers as floats. */
export const INTEGER_PARAMETER = 'CAST(? AS INTEGER)';

export const SqliteError = Sqlite.SqliteError;

/** Opens any SQLite file. Use `openStore` for the cache and the books. */
export function openSqlite(path: string, options?: Sqlite.Options): Sqlite.Database {
  return new Sqlite(path, options);
}

const statements = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement<SqlValues, unknown>>>();

/** Returns the prepared statement for this SQL, compiled once per connection. The SQL must be constant. */
export function prepareSql<Row>(db: ReadableDb, sql: string): Sqlite.Statement<SqlValues, Row> {
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

/** Runs SQL queries, each compiled once per connection. The SQL must be constant. */
export const select = {
  /** Returns the first row of the result, or null. */
  row: <Row>(db: ReadableDb, sql: string, ...bound: SqlValues): Row | null =>
    prepareSql<Row>(db, sql).get(...bound) ?? null,
  /** Returns all rows of the result. */
  rows: <Row>(db: ReadableDb, sql: string, ...bound: SqlValues): Row[] =>
    prepareSql<Row>(db, sql).all(...bound),
  /** Returns the first column of the result's first row, or null. */
  value: <Result>(db: ReadableDb, sql: string, ...bound: SqlValues): Result | null =>
    prepareSql<Result>(db, sql)
      .pluck()
      .get(...bound) ?? null,
  /** Returns the first column of all rows of the result. */
  values: <Result>(db: ReadableDb, sql: string, ...bound: SqlValues): Result[] =>
    prepareSql<Result>(db, sql)
      .pluck()
      .all(...bound),
};

/** Runs `work` in a transaction. If one is already open, `work` becomes part of it. */
export function runInTransaction<Result>(db: WritableDb, work: () => Result): Result {
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

/** Starts a read transaction that sees the database's present state until the connection closes. */
export function beginReadTransaction(db: ReadableDb): void {
  prepareSql(db, 'BEGIN').run();
  // SQLite starts a read transaction only with its first read.
  prepareSql(db, 'SELECT 1 FROM sqlite_schema LIMIT 1').get();
}

/** Runs several reads in one transaction, so that they see the same state. */
export function withReadSnapshot<Result>(db: ReadableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).deferred();
}
