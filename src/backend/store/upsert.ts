import { prepared, type Value, type Values, type WritableDb } from './database.ts';

/** What a write did to the rows it was given. */
export interface Tally {
  inserted: number;
  changed: number;
  unchanged: number;
}

export const noTally = (): Tally => ({ inserted: 0, changed: 0, unchanged: 0 });

/**
 * A table whose rows are copies of what the service sent, each with `read_at`: when the request that brought it began.
 * Rows are bound in the order key, steady, volatile, read_at, usual.
 */
export interface CopyTable {
  table: string;
  key: readonly string[];
  /** Columns that hardly ever change and are costly to set, because indexes hang on them. */
  steady: readonly string[];
  volatile: readonly string[];
  /**
   * As volatile, with what most rows have there, which is the column's default: a row in which it is so in all of them is
   * inserted without them, which takes less time.
   */
  usual?: Readonly<Record<string, Value>>;
}

export type RowChange = 'inserted' | 'changed' | 'unchanged';

/**
 * Makes the write of one row. The rule: an answer whose request began earlier never overwrites a later one, and a row
 * that says what is held already writes nothing. Steady columns are set only when one of them differs, so that a resend
 * leaves their indexes alone.
 */
export function upsertInto({ table, key, steady, volatile: often, usual = {} }: CopyTable) {
  const told = [...key, ...steady, ...often, 'read_at'];
  const columns = [...told, ...Object.keys(usual)];
  const volatile = [...often, ...Object.keys(usual)];
  const defaults = Object.values(usual);
  const differ = (names: readonly string[]) => names.map((name) => `${name} IS NOT ?`).join(' OR ') || '0';
  const set = (names: readonly string[]) => names.map((name) => `${name} = ?`).join(', ');
  const here = key.map((name) => `${name} = ?`).join(' AND ');
  const order = (...names: (readonly string[])[]) => names.flat().map((name) => columns.indexOf(name));

  const insertOf = (names: readonly string[]) => `INSERT INTO ${table} (${names.join(', ')})
    VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT (${key.join(', ')}) DO NOTHING`;
  const [insert, insertUsual] = [insertOf(columns), insertOf(told)];
  const compare = `SELECT CASE WHEN read_at > ? THEN 0 WHEN ${differ(steady)} THEN 2 WHEN ${differ(volatile)} THEN 1 ELSE 0 END
    FROM ${table} WHERE ${here}`;
  const compared = order(['read_at'], steady, volatile, key);
  const updates = [volatile, [...steady, ...volatile]].map((names) => ({
    sql: `UPDATE ${table} SET ${set([...names, 'read_at'])} WHERE ${here}`,
    bound: order(names, ['read_at'], key),
  }));

  return (db: WritableDb, row: Values): RowChange => {
    const isUsual = defaults.every((value, at) => row[told.length + at] === value);
    const inserted = isUsual
      ? prepared(db, insertUsual).run(...row.slice(0, told.length))
      : prepared(db, insert).run(...row);
    if (inserted.changes === 1) return 'inserted';
    const difference = prepared<number>(db, compare)
      .pluck()
      .get(...compared.map((at) => row[at]!));
    const update = difference === undefined ? undefined : updates[difference - 1];
    if (update === undefined) return 'unchanged';
    prepared(db, update.sql).run(...update.bound.map((at) => row[at]!));
    return 'changed';
  };
}
