import { openSqlite, prepareSql, runInTransaction, type WritableDb } from '../sqlite/connection.ts';

/** Month of a row: the period, or the month before it. */
type FluxMonth = 'previous' | 'current';

/** Row of a figure in a flux. */
export interface SortableFluxRow {
  /** Number of the figure. */
  readonly figure: number;
  readonly subscription: number | null;
  readonly month: FluxMonth;
  readonly cents: number;
  readonly day: string | null;
  readonly nature: string;
  readonly item: string;
  readonly quantity: number | null;
}

/** Stands for no subscription, because a primary key has no null. Ids of the service are positive. */
const NO_SUBSCRIPTION = -1;

/**
 * Sorts rows by figure and subscription in a temporary database on disk, so that memory does not grow with their number.
 * SQLite deletes the database when it is closed, or when the process ends.
 */
export class FluxRowSorter {
  readonly #db: WritableDb;
  #count = 0;

  constructor() {
    this.#db = openSqlite('') as WritableDb;
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('cache_size = -8192');
    this.#db.exec(`CREATE TABLE flux_row (
      figure INTEGER NOT NULL, subscription INTEGER NOT NULL, row INTEGER NOT NULL, month TEXT NOT NULL,
      cents INTEGER NOT NULL, day TEXT, nature TEXT NOT NULL, item TEXT NOT NULL, quantity INTEGER,
      PRIMARY KEY (figure, subscription, row)) STRICT, WITHOUT ROWID`);
  }

  /** Adds rows. Must not be called while rows are being read. */
  add(rows: readonly Omit<SortableFluxRow, 'month'>[], month: FluxMonth): void {
    if (rows.length === 0) return;
    const insert = prepareSql(this.#db, 'INSERT INTO flux_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    runInTransaction(this.#db, () => {
      for (const { figure, subscription, cents, day, nature, item, quantity } of rows)
        insert.run(
          ...[figure, subscription ?? NO_SUBSCRIPTION, this.#count++, month],
          ...[cents, day, nature, item, quantity],
        );
    });
  }

  /** Yields the rows of a figure by subscription. Those of a subscription are in the order in which they were added. */
  read(figure: number): IterableIterator<SortableFluxRow> {
    const sql = `SELECT figure, nullif(subscription, ${NO_SUBSCRIPTION}) AS subscription, month, cents, day, nature, item, quantity
      FROM flux_row WHERE figure = ? ORDER BY flux_row.subscription, row`;
    return prepareSql<SortableFluxRow>(this.#db, sql).iterate(figure);
  }

  close(): void {
    this.#db.close();
  }
}
