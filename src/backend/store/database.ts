import Sqlite from 'better-sqlite3';

declare const access: unique symbol;

/** A connection for reading. What may write is a `WritableDb`, so that a query cannot be handed the power to write. */
export type ReadableDb = Sqlite.Database & { readonly [access]: 'read' | 'write' };
export type WritableDb = Sqlite.Database & { readonly [access]: 'write' };

/** What SQLite stores and takes. */
export type Value = string | number | bigint | Buffer | null;

/** A row as `raw` gives it, or as it is bound: values in the order of the columns. */
export type Values = Value[];

/**
 * A place in a statement for an integer. A number is bound as a float, which is as good where it is compared to a column; but an
 * index of words (FTS5) goes straight to an id only where that is an integer, and walks there row by row where it is not.
 */
export const integer = 'CAST(? AS INTEGER)';

export const SqliteError = Sqlite.SqliteError;

/** Opens a file of SQLite; `openStore` is the door for the two stores. */
export function connect(path: string, options?: Sqlite.Options): Sqlite.Database {
  return new Sqlite(path, options);
}

const statements = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement<Values, unknown>>>();

/** The statement of this text on this connection, compiled once. The text comes from constants, never from outside. */
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

/** Everything `work` writes becomes true together, or none of it. Inside another commit it joins that one. */
export function commit<Result>(db: WritableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).immediate();
}

/** Does something with so much room for the store's pages, in KiB; after that it is as before. */
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

/** From now on the connection sees the file as it is at this moment, until it is closed. */
export function beginReading(db: ReadableDb): void {
  prepared(db, 'BEGIN').run();
  // A reading begins with its first row.
  prepared(db, 'SELECT 1 FROM sqlite_schema LIMIT 1').get();
}

/** Several reads that see one state of the file. */
export function snapshot<Result>(db: ReadableDb, work: () => Result): Result {
  return db.inTransaction ? work() : db.transaction(work).deferred();
}
